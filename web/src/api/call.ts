import { loginDevice } from '@ondine/contract/account-calls'
import { session } from '@ondine/contract/accounts'
import { encodeInput, fillPath } from '@ondine/contract/encode-input'
import type { Envelope, InputOf, Operation, OutputOf, WireError } from '@ondine/contract/operation'
import { scrubFields } from '@ondine/contract/scrub'
import { createIsomorphicFn } from '@tanstack/react-start'
import { ApiError, type FailedCall, NO_ANSWER } from './api-error.ts'
import { CODES } from './codes.ts'
import { environment, serverContext } from './environment.ts'
import { FAILURES, OfflineError } from './failures.ts'
import type { ApiAnswer, ApiCall } from './page-context.ts'
import { tellRefusal } from './refusals.ts'
import { renewOnce } from './renewal.ts'
import { inSession, sessionGoesOn } from './session-end.ts'

/** Time limit of a call, in milliseconds. */
export const PATIENCE_MS = 30_000

/**
 * Error codes that `answer` returns instead of throwing: an invalid voucher, a promotion that does not apply
 * (A8.3-03).
 */
const HANDED_BACK: ReadonlySet<number> = new Set([-911, -15004])

/** The HTTP request of a call, for `fetch`. */
interface HttpRequest extends Pick<RequestInit, 'method' | 'headers' | 'body' | 'keepalive'> {
  address: string
}

/**
 * Sends a call. On the server, the call stays inside the process. In the browser, `encode` builds the request,
 * which goes to the page's own origin.
 */
export const transport = createIsomorphicFn()
  .server((call: ApiCall, _encode: (call: ApiCall) => HttpRequest) => serverContext().apiFetch(call))
  .client((call: ApiCall, encode: (call: ApiCall) => HttpRequest): Promise<ApiAnswer> => {
    const { address, ...request } = encode(call)
    return fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) })
  })

/**
 * Calls an operation of the contract. The input and `languageId` are form-encoded, or in the query string for GET
 * (V7-02, V7-03). An operation with a fallback result (`otherwise`) never fails (A8.3-04), but its listeners are told of
 * an ended session, except by `logout` and `msg`.
 *
 * @throws ApiError with the service's code, or with 503 when no readable answer came
 */
export async function call<O extends Operation>(operation: O, input: InputOf<O>): Promise<OutputOf<O>> {
  try {
    const { made, status, envelope } = await askSignedIn(operation, input)
    if (envelope.status) return envelope.result
    if (operation.otherwise === undefined) throw refusal(made, envelope.error, status)
    // The service has deleted the cookies, so it will answer the next calls as for a visitor, without an error (A4.4-04).
    const isSessionOver = envelope.error.code === CODES.tokenInvalid
    if (isSessionOver && operation.name !== 'logout' && operation.name !== 'msg')
      refusal(made, envelope.error, status)
  } catch (error) {
    if (operation.otherwise === undefined) throw error
  }
  // The contract ensures that `otherwise` is a valid result of the operation.
  return operation.otherwise as OutputOf<O>
}

/**
 * Calls an operation that the service can refuse in normal use. Returns the errors -911 and -15004 as answers, where
 * {@link call} would throw them (A8.3-03).
 *
 * @throws ApiError as `call`, for every other code
 */
export async function answer<O extends Operation>(
  operation: O,
  input: InputOf<O>,
): Promise<Envelope<OutputOf<O>>> {
  const { made, status, envelope } = await askSignedIn(operation, input)
  if (envelope.status || HANDED_BACK.has(envelope.error.code)) return envelope
  throw refusal(made, envelope.error, status)
}

/**
 * Operations that are not repeated with a renewed token after error -1 (invalid token), because they do not use the
 * viewer's token (A4.4-05).
 */
const FINAL: ReadonlySet<string> = new Set([loginDevice.name, 'oauthToken'])

/** Renews the expired token of this page. */
const renew = renewOnce(async () => {
  const renewed = await ask(loginDevice, {}).catch(() => undefined)
  return renewed?.envelope.status === true
})

/**
 * Calls an operation. If the token has expired, renews it and calls once more (A4.4-03). On the server, the service
 * itself renews the token of the page's request. While the viewer is being signed out, only the call that signs out
 * is sent, and all other calls wait.
 */
async function askSignedIn<O extends Operation>(operation: O, input: InputOf<O>): ReturnType<typeof ask<O>> {
  if (typeof document === 'undefined' || operation.name === 'logout') return await ask(operation, input)
  const asked = await inSession(async () => await ask(operation, input))
  const { envelope } = asked
  if (envelope.status || envelope.error.code !== CODES.tokenInvalid) return asked
  await sessionGoesOn()
  if (FINAL.has(operation.name)) return asked
  // After a failed renewal, the viewer is signed out, and calls are not repeated. The exception is the call
  // `session`, because the service answers it for signed-out viewers too.
  if (!(await renew()) && operation.name !== session.name) return asked
  return await ask(operation, input)
}

async function ask<O extends Operation>(
  operation: O,
  input: InputOf<O>,
): Promise<{ made: FailedCall; status: number; envelope: Envelope<OutputOf<O>> }> {
  const { language, identityKey } = environment()
  const fields = encodeInput({ ...input, languageId: language })
  const { method, path } = operation
  const traceparent = newTrace()
  const made: FailedCall = {
    endpoint: path,
    methodRequest: method,
    payload: scrubFields(fields),
    traceparent,
  }
  // If the viewer closes the page during the sign-out, the service must still sign the viewer out.
  const encode = operation.name === 'logout' ? asLastForm : asForm
  const response = await transport({ method, path, fields, identityKey, traceparent }, encode).catch(
    (cause: unknown) => {
      throw noAnswer(made, cause)
    },
  )
  const { status, ok } = response
  if (ok && operation.answer === 'file' && response.arrayBuffer !== undefined) {
    const bytes = await response.arrayBuffer().catch((cause: unknown) => {
      throw noAnswer(made, cause)
    })
    // The contract types a file as bytes.
    return { made, status, envelope: { status: true, result: new Uint8Array(bytes) as OutputOf<O> } }
  }
  const read: unknown = await response.json().catch((cause: unknown) => {
    throw noAnswer(made, cause)
  })
  // The server checks its answers against the contract, so the browser does not.
  if (ok && operation.answer === 'bare') {
    return { made, status, envelope: { status: true, result: read as OutputOf<O> } }
  }
  if (!isEnvelope<OutputOf<O>>(read)) throw noAnswer(made, read)
  return { made, status, envelope: read }
}

/** Encodes the fields of a call as a form, or in the query string for GET (V7-02, V7-03). */
function asForm({ method, path, fields, identityKey, traceparent }: ApiCall): HttpRequest {
  const body = new URLSearchParams(fields)
  const headers = {
    accept: 'application/json',
    'x-identity-key': identityKey,
    ...(traceparent === undefined ? {} : { traceparent }),
  }
  const address = fillPath(path, fields)
  return method === 'GET' ? { address: `${address}?${body}`, headers } : { address, method, headers, body }
}

/** Encodes a call that the browser completes even if its page is closed. */
function asLastForm(call: ApiCall): HttpRequest {
  return { ...asForm(call), keepalive: true }
}

function refusal(made: FailedCall, fault: WireError, status: number): ApiError {
  const refused = new ApiError({ ...made, ...fault, status })
  tellRefusal(refused)
  return refused
}

function isEnvelope<Result>(read: unknown): read is Envelope<Result> {
  if (typeof read !== 'object' || read === null || !('status' in read)) return false
  if (read.status === true) return 'result' in read
  return read.status === false && 'error' in read && isWireError(read.error)
}

function isWireError(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    typeof Reflect.get(error, 'code') === 'number' &&
    typeof Reflect.get(error, 'message') === 'string'
  )
}

function noAnswer(made: FailedCall, cause: unknown): ApiError {
  const message = cause instanceof OfflineError ? cause.message : FAILURES.noResponse
  const error = new ApiError({ ...made, code: NO_ANSWER, status: NO_ANSWER, message })
  error.cause = cause
  return error
}

const TRACE_BYTES = 24
/**
 * Random bytes for many calls. They are generated together, because `getRandomValues` takes about the same time
 * for any number of bytes.
 */
const CHANCE = new Uint8Array(64 * TRACE_BYTES)
let used = CHANCE.length

/**
 * Returns a new trace id for a call, so that the call can be found in the service's traces even if there was
 * no answer.
 */
function newTrace(): string {
  if (used === CHANCE.length) {
    crypto.getRandomValues(CHANCE)
    used = 0
  }
  const bytes = CHANCE.subarray(used, (used += TRACE_BYTES))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`
}
