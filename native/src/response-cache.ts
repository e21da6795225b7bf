import { Directory } from '@capacitor/filesystem'
import { OfflineError } from '@ondine/web/api/failures'
import { inTime } from '@ondine/web/api/in-time'
import { isOnline } from '@ondine/web/api/native'
import { reportFault } from '@ondine/web/features/ground/errors/report-fault'
import { appFolder } from './app-folder.ts'
import { isCached } from './cached-calls.ts'
import type { Send, ServiceCall } from './service-call.ts'

/** Maximum size of the cache, in bytes. */
const MOST_BYTES = 20_000_000

/** Maximum length of the answers in one file, in characters. */
const MOST_IN_FILE = 2_000_000

/** Maximum length of a file's name before its ending. File systems allow 255 bytes. */
const LONGEST_NAME = 200

/** Time after which a call without an answer is answered from the cache, in milliseconds. */
const PATIENCE_MS = 8000

/**
 * The same time during {@link SILENCE_MS} after a call got no answer in time. A start makes several calls one after
 * another, and must not wait {@link PATIENCE_MS} for each.
 */
const SHORT_PATIENCE_MS = 1000

/**
 * Time after which a silence says nothing more about the connection, in milliseconds. The device may have slept
 * meanwhile, or be in another place.
 */
const SILENCE_MS = 30_000

/** Headers of an answer that are cached. Other headers are excluded, because they can contain tokens. */
const KEPT_HEADERS = ['content-type', 'etag']

/** The headers of a call that contain tokens of the viewer. */
const TOKEN_HEADERS: ReadonlySet<string> = new Set(['x-auth-token', 'x-profile-token'])

/**
 * Request headers that do not affect cached answers. They are excluded from cache keys, because they differ at the
 * next start: the trace is new for every call, the device token arrives after the sign-in, and the state of a
 * single sign-on expires after minutes.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['traceparent', 'x-device-token', 'x-sign-on-token'])

/** A cached answer. */
interface KeptAnswer {
  key: string
  headers: Record<string, string>
  body: string
}

/** The cache of the service's answers in the app (V1-13). */
export interface ResponseCache {
  /**
   * Returns a function that sends calls and caches their answers. Without a connection, the function answers from
   * the cache or rejects with an {@link OfflineError} (V4-06). It also answers from the cache if the device
   * reports a connection but the call fails, or gets no answer within {@link PATIENCE_MS}. A late answer is cached.
   */
  wrap(send: Send): Send
  /** Returns whether a call of this start was answered from the cache. */
  hasAnswered(): boolean
  /** Deletes all answers. Called at sign-out, so that the next viewer cannot see the previous viewer's answers. */
  forget(): Promise<void>
}

/**
 * Opens the cache. Each path has a file with the answers to its calls. The keys of the answers are made of
 * address, method, body and headers (V4-07). The files are not in the system's cache folder, which the system may
 * empty. Without these files, the app could not start offline or play downloads offline.
 */
export function responseCache(): ResponseCache {
  const folder = appFolder(Directory.LibraryNoCloud, 'answers')
  /** Sizes of the files by name, in the order of their last writes; undefined until the folder has been read. */
  let sizes: Map<string, number> | undefined
  /** Number of sign-outs. An answer is not cached if this number has changed since the call was sent. */
  let generation = 0
  let isBroken = false
  let hasAnswered = false
  /** When a call last got no answer in time, in milliseconds of the device's clock; undefined after any answer. */
  let silentAt: number | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Runs the operations on the files one after another. */
  async function inTurn<Result>(operation: () => Promise<Result>): Promise<Result> {
    const turn = last.then(operation)
    last = turn.catch(() => undefined)
    return await turn
  }

  async function sizesOfFiles(): Promise<Map<string, number>> {
    if (sizes === undefined) {
      const files = (await folder.list()).toSorted((one, other) => one.changedAt - other.changedAt)
      sizes = new Map(files.map(({ path, bytes }) => [path, bytes]))
    }
    return sizes
  }

  async function cache(call: ServiceCall, answer: Response, sentIn: number): Promise<void> {
    const body = await bodyOf(answer)
    if (body === undefined || body.length > MOST_IN_FILE) return
    const key = await keyOf(call)
    const headers = Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => {
        const value = answer.headers.get(name)
        return value === null ? [] : [[name, value]]
      }),
    )
    await inTurn(async () => {
      if (sentIn !== generation || isBroken) return
      const name = fileOf(call.url)
      const others = (await answersIn(name)).filter((other) => other.key !== key)
      const text = JSON.stringify(fitting([{ key, headers, body }, ...others]))
      try {
        await folder.writeText(name, text)
      } catch (error) {
        // The device is probably full, so later writes would fail too.
        isBroken = true
        throw error
      }
      const known = await sizesOfFiles()
      known.delete(name)
      known.set(name, new TextEncoder().encode(text).length)
      await makeRoom(known)
    })
  }

  /** Deletes the least recently written files until the cache is within its limit. */
  async function makeRoom(known: Map<string, number>): Promise<void> {
    let sum = [...known.values()].reduce((all, bytes) => all + bytes, 0)
    for (const [name, bytes] of known) {
      if (sum <= MOST_BYTES) return
      await folder.delete(name)
      known.delete(name)
      sum -= bytes
    }
  }

  /** Returns the answers in a file, newest first. Returns no answers for a corrupt file. */
  async function answersIn(name: string): Promise<KeptAnswer[]> {
    const text = await folder.readText(name)
    if (text === undefined) return []
    try {
      const read: unknown = JSON.parse(text)
      return Array.isArray(read) ? read.filter(isKeptAnswer) : []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  }

  async function find(call: ServiceCall): Promise<Response | undefined> {
    if (!isCached(call)) return undefined
    const key = await keyOf(call)
    const answers = await inTurn(async () => await answersIn(fileOf(call.url)))
    const found = answers.find((answer) => answer.key === key)
    if (found === undefined) return undefined
    hasAnswered = true
    return new Response(found.body, { headers: found.headers })
  }

  /** Returns the time to wait for an answer that is in the cache, in milliseconds. */
  function patience(): number {
    if (silentAt === undefined) return PATIENCE_MS
    // Not the page's monotonic time, which stands still while the device sleeps. The device's clock may be set back.
    return Math.abs(Date.now() - silentAt) < SILENCE_MS ? SHORT_PATIENCE_MS : PATIENCE_MS
  }

  async function answerOffline(call: ServiceCall): Promise<Response> {
    // The next connection can be another one.
    silentAt = undefined
    const found = await find(call)
    if (found !== undefined) return found
    throw new OfflineError((await inTurn(sizesOfFiles)).size > 0)
  }

  async function answerOnline(call: ServiceCall, send: Send): Promise<Response> {
    const sentIn = generation
    const answer = await send(call)
    silentAt = undefined
    if (answer.ok && !isBroken && isCached(call)) {
      // Not awaited, so that the page gets the answer before the file is written.
      cache(call, answer.clone(), sentIn).catch(reportFault)
    }
    return answer
  }

  return {
    wrap: (send) => async (call) => {
      if (!isOnline()) return await answerOffline(call)
      const answer = answerOnline(call, send)
      try {
        return await (isCached(call) ? inTime(answer, patience()) : answer)
      } catch (error) {
        if (isAbort(call)) throw error
        if (isTimeout(error)) silentAt = Date.now()
        const found = await find(call)
        // Without a cached answer, the call goes on until its caller gives up, or fails again with the same error.
        return found ?? (await answer)
      }
    },
    hasAnswered: () => hasAnswered,
    forget: async () => {
      generation += 1
      await inTurn(async () => {
        await folder.clear()
        sizes = undefined
      })
    },
  }
}

/** Returns the text of an answer; undefined if its connection drops or the caller aborts the call. */
async function bodyOf(answer: Response): Promise<string | undefined> {
  try {
    return await answer.text()
  } catch {
    // The caller reads the same body, and handles its failure.
    return undefined
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** Returns whether the caller aborted the call. False for a timeout. */
function isAbort({ signal }: ServiceCall): boolean {
  const reason: unknown = signal.reason
  return reason instanceof DOMException && reason.name === 'AbortError'
}

/** Returns the file name for an address. Paths can share a file, because the keys contain the complete address. */
function fileOf(url: string): string {
  return `${new URL(url).pathname.replaceAll(/[^\w.-]/g, '_').slice(-LONGEST_NAME)}.json`
}

/**
 * Returns the cache key of a call. The key is a digest, so that the file contains no tokens or search terms. The
 * digest covers the claims of tokens, not the tokens. A renewed token has the same claims, and so the same key.
 */
async function keyOf({ url, method, body, headers }: ServiceCall): Promise<string> {
  const named = [...headers]
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => [name, TOKEN_HEADERS.has(name) ? claimsOf(value) : value])
  const text = JSON.stringify([url, method, body ?? '', named])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the claims of a JSON Web Token (RFC 7519) without its times. Returns any other token unchanged. */
function claimsOf(token: string): unknown {
  try {
    const payload = token.split('.')[1] ?? ''
    const {
      exp: _exp,
      iat: _iat,
      ...claims
    }: Record<string, unknown> = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return claims
  } catch {
    return token
  }
}

/** Returns the first answers, within the size limit of a file. */
function fitting(answers: readonly KeptAnswer[]): KeptAnswer[] {
  let left = MOST_IN_FILE
  return answers.filter(({ body }) => {
    left -= body.length
    return left >= 0
  })
}

function isKeptAnswer(read: unknown): read is KeptAnswer {
  if (typeof read !== 'object' || read === null || !('key' in read && 'headers' in read && 'body' in read))
    return false
  const { key, headers, body } = read
  return typeof key === 'string' && typeof body === 'string' && isHeaders(headers)
}

function isHeaders(read: unknown): read is Record<string, string> {
  return (
    typeof read === 'object' &&
    read !== null &&
    Object.values(read).every((value) => typeof value === 'string')
  )
}
