import { encodeInput } from '@ondine/contract/encode-input'
import type { Envelope, InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { createIsomorphicFn } from '@tanstack/react-start'
import { ApiError, NO_ANSWER } from './api-error.ts'
import { environment, serverContext } from './environment.ts'

/** On the server a call stays inside the process; in the browser it goes to where the page came from. */
const transport = createIsomorphicFn()
  .server((path: string, init: RequestInit) => serverContext().apiFetch(path, init))
  .client((path: string, init: RequestInit) => fetch(path, init))

/**
 * Makes a call of the contract: form-encoded, or in the query for GET, always with `languageId` (V7-02, V7-03).
 *
 * @throws ApiError with the wire's code, or with 503 when no readable answer came
 */
export async function call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> {
  const { language, identityKey } = environment()
  const fields = new URLSearchParams(encodeInput({ ...input, languageId: language }))
  const headers = { accept: 'application/json', 'x-identity-key': identityKey }
  const response = await transport(
    operation.method === 'GET' ? `${operation.path}?${fields}` : operation.path,
    operation.method === 'GET' ? { headers } : { method: operation.method, headers, body: fields },
  ).catch((cause: unknown) => {
    throw noAnswer(cause)
  })
  const answer: unknown = await response.json().catch((cause: unknown) => {
    throw noAnswer(cause)
  })
  if (!response.ok || operation.answer === 'envelope') return unwrap<OutputOf<O>>(answer, response.status)
  // What a call answers is checked against the contract where it is answered.
  return answer as OutputOf<O>
}

function unwrap<Result>(answer: unknown, status: number): Result {
  if (!isEnvelope<Result>(answer)) throw noAnswer(answer)
  if (answer.status) return answer.result
  throw new ApiError({ ...answer.error, status })
}

function isEnvelope<Result>(answer: unknown): answer is Envelope<Result> {
  return typeof answer === 'object' && answer !== null && typeof Reflect.get(answer, 'status') === 'boolean'
}

function noAnswer(cause: unknown): ApiError {
  const error = new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: 'No response from API' })
  error.cause = cause
  return error
}
