import { ApiError } from '../../../api/api-error.ts'

const NOTED = new WeakSet<object>()

/**
 * Logs an error to the console for the support staff: endpoint, method, payload without secrets, traceparent and
 * the service's message (V8-08). Each error is logged once.
 *
 * @returns false if the error was logged before
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
