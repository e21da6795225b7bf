import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Agent, Dispatcher, errors } from 'undici'

/** Why an address from an outside source was not fetched. */
export type OutboundFault =
  | 'not-an-address'
  | 'scheme'
  | 'credentials'
  | 'private-address'
  | 'too-many-redirects'
  | 'too-large'
  | 'too-slow'
  | 'unreachable'
  | 'status'

export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly fault: OutboundFault
  /** HTTP status of the answer, for the fault `status`. */
  readonly status: number | undefined

  constructor(fault: OutboundFault, message: string, options?: ErrorOptions & { status?: number }) {
    super(message, options)
    this.fault = fault
    this.status = options?.status
  }
}

/** Returns whether another attempt may succeed after an HTTP status: too many requests, or a fault of the server. */
export function isPassingStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

export interface OutboundOptions {
  /** Private hosts, addresses or CIDR ranges that the operator allows. */
  allow?: readonly string[]
  /**
   * Origins (scheme, host and port) to which `allow` applies; all if omitted. Set it for addresses from third
   * parties: then all other origins must be public, including targets of redirects.
   */
  allowedOrigins?: readonly string[]
  /** Maximum size of the body, in bytes. */
  maxBytes: number
  /** Maximum time for the whole fetch, in milliseconds. */
  maxMilliseconds: number
  /**
   * Maximum time without any data, in milliseconds; a minute by default. Time while the caller does not read does
   * not count.
   */
  maxSilentMilliseconds?: number
  signal?: AbortSignal
  /** Request headers. With `range`, the answer may be partial. */
  headers?: Readonly<Record<string, string>>
}

export interface OutboundAnswer {
  /** The final address, after redirects. */
  url: string
  /** 200, or 206 for a partial answer. */
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The body. It fails with an {@link OutboundError} when it is too large or takes too long. */
  body: AsyncIterable<Buffer>
  /** Closes the connection of a body that is not read to its end. */
  close(): void
}

const MAX_REDIRECTS = 5
/** Default of `maxSilentMilliseconds`. A silent server fails after this time instead of the whole time limit. */
const MAX_SILENT_MS = 60_000

/**
 * Fetches an address from an outside source, such as a guide, a playlist, an image or a callback. All such fetches
 * must use this function. Only http and https are allowed. The address is checked after name resolution, on the
 * connection that is used, and again at every redirect. Private, loopback, link-local and IPv4-mapped addresses
 * are refused unless the operator allows them.
 *
 * @throws OutboundError
 */
export async function fetchOutside(address: string, options: OutboundOptions): Promise<OutboundAnswer> {
  const deadline = AbortSignal.timeout(options.maxMilliseconds)
  const signal = options.signal ? AbortSignal.any([deadline, options.signal]) : deadline
  const { request } = await import('undici')
  const maxSilent = options.maxSilentMilliseconds ?? MAX_SILENT_MS
  let target = parseTarget(address, options)
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const { url, allow } = target
      const dispatcher = await poolFor(allow)
      const ask = async () =>
        await request(url, {
          dispatcher,
          signal,
          headersTimeout: maxSilent,
          bodyTimeout: maxSilent,
          headers: { 'user-agent': 'Ondine', ...options.headers },
        })
      const answer = await ask().catch(async (error: unknown) => {
        // The server may close a kept-alive connection just as this request reuses it.
        if (isClosedConnection(error) && !signal.aborted) return await ask()
        throw error
      })
      const location = answer.headers.location
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
        await answer.body.dump()
        target = parseTarget(new URL(location, url).href, options)
        continue
      }
      const isPart = answer.statusCode === 206 && options.headers?.range !== undefined
      if (answer.statusCode !== 200 && !isPart) {
        await answer.body.dump()
        throw new OutboundError('status', `The address answered with status ${answer.statusCode}.`, {
          status: answer.statusCode,
        })
      }
      return {
        url: url.href,
        status: answer.statusCode,
        headers: answer.headers,
        body: boundedBody(answer.body, options.maxBytes, deadline),
        // A body that is destroyed before its end emits an error, which would end the process without a listener.
        close: () => void answer.body.once('error', () => undefined).destroy(),
      }
    }
    throw new OutboundError('too-many-redirects', `The address redirects more than ${MAX_REDIRECTS} times.`)
  } catch (error) {
    throw asOutboundError(error, deadline, 'The address cannot be reached.')
  }
}

/** Returns a parsed address, and the part of `allow` that applies to it. @throws OutboundError */
function parseTarget(
  address: string,
  { allow = [], allowedOrigins }: OutboundOptions,
): { url: URL; allow: readonly string[] } {
  const origin = URL.parse(address)?.origin
  const applied = allowedOrigins && !allowedOrigins.some((each) => each === origin) ? [] : allow
  return { url: parseAddress(address, applied), allow: applied }
}

const POOLS = new Map<string, Promise<Agent>>()

/**
 * Returns the connection pool for an allow list. Connections are reused by later fetches. Each new connection
 * resolves the name and checks the resulting address. Each list has its own pool, so that no fetch reuses a
 * connection that its own list forbids.
 */
async function poolFor(allow: readonly string[]): Promise<Dispatcher> {
  const policy = JSON.stringify(allow)
  const pool =
    POOLS.get(policy) ??
    import('undici').then(({ Agent }) => new Agent({ connect: { lookup: checkedLookup(allow) } }))
  POOLS.set(policy, pool)
  return await pool
}

/** Parses an address. @throws OutboundError if it is invalid or must not be fetched. */
export function parseAddress(address: string, allow: readonly string[]): URL {
  const url = URL.parse(address)
  if (!url) throw new OutboundError('not-an-address', 'That is not an address.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('scheme', `Addresses that begin with ${url.protocol} are not fetched.`)
  }
  if (url.username || url.password)
    throw new OutboundError('credentials', 'Addresses with a user name or password are not fetched.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal IP address is not resolved when connecting, so it is checked here.
  if (isIP(host) && !isAllowed(host, host, allow)) throw refusal(host)
  return url
}

/**
 * Checks an address before anything is fetched, without resolving its name. `privateHosts` resolves names.
 *
 * @throws OutboundError
 */
export function checkAddress(address: string, allow: readonly string[]): void {
  const { hostname } = parseAddress(address, allow)
  if (/(^|\.)localhost\.?$/i.test(hostname) && !isAllowed(hostname, '127.0.0.1', allow))
    throw refusal(hostname)
}

/** Returns the error for a host inside a private network. */
export function refusal(host: string): OutboundError {
  return new OutboundError(
    'private-address',
    `${host} is inside a private network; the operator can allow it.`,
  )
}

/** Returns a lookup function that refuses names which resolve to private addresses. */
export function checkedLookup(allow: readonly string[]): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const bad = addresses.find(({ address }) => !isAllowed(hostname, address, allow))
      if (bad) return callback(refusal(hostname), '', 0)
      const [first] = addresses
      if (options.all) return callback(null, addresses)
      return callback(null, first?.address ?? '', first?.family ?? 0)
    })
  }
}

/**
 * Resolves a host for a program that would otherwise resolve it again, perhaps to another address.
 *
 * @returns an IP address that the program may connect to
 * @throws OutboundError
 */
export async function resolveOutside(host: string, allow: readonly string[]): Promise<string> {
  return await new Promise((resolve, reject) => {
    checkedLookup(allow)(host, { all: false }, (error, address) => {
      if (error instanceof OutboundError) reject(error)
      else if (error || typeof address !== 'string')
        reject(new OutboundError('unreachable', `${host} has no address.`, { cause: error }))
      else resolve(address)
    })
  })
}

/**
 * Returns whether the service may connect to `address`, to which `host` resolves: the address is public, or the
 * operator allows it.
 */
export function isAllowed(host: string, address: string, allow: readonly string[]): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'unicast') return true
  return allow.some((entry) => {
    // Addresses of signals, such as srt://, keep the capitals of their host.
    if (entry === host.toLowerCase()) return true
    if (!ipaddr.isValidCIDR(entry) && !ipaddr.isValid(entry)) return false
    const [range, bits] = ipaddr.isValidCIDR(entry)
      ? ipaddr.parseCIDR(entry)
      : [ipaddr.process(entry), undefined]
    return range.kind() === parsed.kind() && parsed.match(range, bits ?? (range.kind() === 'ipv4' ? 32 : 128))
  })
}

async function* boundedBody(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
  deadline: AbortSignal,
): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new OutboundError('too-large', `The address gives more than ${maxBytes} bytes.`)
      yield chunk
    }
  } catch (error) {
    throw asOutboundError(error, deadline, 'The address broke off before all of it had come.')
  } finally {
    // Closes the connection if the reader stops early. After the last byte, the connection is already back in the
    // pool.
    body.destroy()
  }
}

/**
 * Returns whether the server closed a reused connection before it sent the answer. A retry on a new connection may
 * succeed.
 */
function isClosedConnection(error: unknown): boolean {
  return isSocketError(error) && (error.socket?.bytesRead ?? 0) > 0
}

function isSocketError(error: unknown): error is errors.SocketError {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET'
}
/** @param otherwise message for a failed connection. */
function asOutboundError(error: unknown, deadline: AbortSignal, otherwise: string): Error {
  if (error instanceof OutboundError) return error
  if (error instanceof Error && error.cause instanceof OutboundError) return error.cause
  if (deadline.aborted)
    return new OutboundError('too-slow', 'The address takes too long to answer.', { cause: error })
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return new OutboundError('too-slow', 'The address was silent for too long.', { cause: error })
  return new OutboundError('unreachable', otherwise, { cause: error })
}
