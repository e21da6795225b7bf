import { ServiceError } from '../../../http/errors.ts'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'

/** Timeout of a call to a provider, in milliseconds. It is short, because a viewer waits for the first picture. */
const TIMEOUT_MS = 8000

/** A call to a DRM provider. With a body it is a POST, otherwise a GET. */
export interface ProviderCall {
  url: string
  headers?: Record<string, string>
  body?: Buffer | string
}

/** An answer of a provider. */
export interface ProviderAnswer {
  body: Buffer
  headers: Headers
}

type Headers = Awaited<ReturnType<CheckedFetch>>['headers']

/** Statuses below 500 that are not a refusal: too slow, too early, too many requests. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Calls a provider. Redirects are not followed, because requests contain secrets.
 *
 * @throws ServiceError licenceRefused for a status from 400 to 499, except {@link BUSY}; temporarilyUnavailable for any
 * other failure.
 */
export async function callProvider(
  fetch: CheckedFetch,
  { url, headers = {}, body }: ProviderCall,
): Promise<ProviderAnswer> {
  const answer = await send(fetch, { url, headers, ...(body !== undefined && { body }) })
  if (answer.ok) return { body: answer.body, headers: answer.headers }
  // The error leaves out the text of the answer, which may repeat the token.
  const cause = new Error(`The licence provider answered with status ${answer.status}.`)
  const isRefusal = answer.status >= 400 && answer.status < 500 && !BUSY.has(answer.status)
  throw new ServiceError(isRefusal ? 'licenceRefused' : 'temporarilyUnavailable', null, { cause })
}

async function send(fetch: CheckedFetch, { url, headers = {}, body }: ProviderCall) {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body }),
    })
    const { ok, status } = answer
    return { ok, status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
  } catch (cause) {
    throw new ServiceError('temporarilyUnavailable', null, { cause })
  }
}

/** Maximum size of a licence, in bytes. Real licences have a few kilobytes. */
const MOST_LICENCE_BYTES = 256 * 1024

/**
 * Orders a licence. Also checks the body, because some proxies answer with status 200 and a page.
 *
 * @param form whether the body is the licence, or its base64
 * @throws ServiceError as {@link callProvider} does; temporarilyUnavailable for an answer that cannot be a licence
 */
export async function callForLicence(
  fetch: CheckedFetch,
  call: ProviderCall,
  form: 'bytes' | 'base64',
): Promise<Buffer> {
  const { body, headers } = await callProvider(fetch, call)
  if (body.length === 0 || body.length > MOST_LICENCE_BYTES) throw noLicence(`${body.length} bytes`)
  // The content type of a base64 answer is not documented, so it is not checked. An HTML page fails to decode as base64
  // anyway.
  if (form === 'base64') return decodeBase64(body.toString('latin1'))
  if (PAGE.test(headers.get('content-type') ?? '')) throw noLicence('a page')
  return body
}

const PAGE = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i

function noLicence(what: string): ServiceError {
  const cause = new Error(`The licence provider answered with ${what} instead of a licence.`)
  return new ServiceError('temporarilyUnavailable', null, { cause })
}

/** Decodes base64 from a provider. @throws ServiceError temporarilyUnavailable for any other text */
export function decodeBase64(text: string): Buffer {
  const trimmed = text.trim()
  if (trimmed === '' || !/^[A-Za-z0-9+/\s]+={0,2}$/.test(trimmed)) {
    const cause = new Error('The licence provider answered with something else than base64.')
    throw new ServiceError('temporarilyUnavailable', null, { cause })
  }
  return Buffer.from(trimmed, 'base64')
}

/** Writes 32 hexadecimal digits as a UUID. */
export function uuidOf(keyId: string): string {
  return keyId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
