import { ApiError } from '../../api/api-error.ts'

const NOTED = new WeakSet<object>()

/**
 * Writes what those who help need to know of an error to the console, once for each error: endpoint, method, payload
 * without what is secret, traceparent and what the service said (V8-08).
 *
 * @returns whether it was new
 */
export function noteError(error: unknown): boolean {
  const object = typeof error === 'object' && error !== null ? error : new Error(String(error))
  if (NOTED.has(object)) return false
  NOTED.add(object)
  if (error instanceof ApiError) {
    const { endpoint, methodRequest, payload, traceparent, message, code } = error
    console.error('An error of the service', {
      endpoint,
      method: methodRequest,
      payload,
      traceparent,
      message,
      code,
    })
  } else {
    console.error('An error of the page', error)
  }
  return true
}
