import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { FastifyBaseLogger } from 'fastify'
import { type Dispatcher, Pool } from 'undici'
import { faultOf, type ListedObjects, readListing, refusedKeys } from './s3-xml.ts'
import { StoreError } from './segment-store.ts'

interface S3Settings {
  /** URL of the store, without the bucket. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A request to the store. */
interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST'
  /** Name of the object. If omitted, the request is about the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer | string
  /** How long the request is retried while the store cannot be reached, in milliseconds. */
  patienceMs: number
  signal?: AbortSignal
  /** Called before each retry. */
  onRetry?: () => void
}

type S3Answer = Dispatcher.ResponseData

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

/** Statuses that are not errors: success, and the results of conditions and ranges. */
const ANSWERS: ReadonlySet<number> = new Set([200, 204, 206, 304, 412, 416])

/**
 * Time limit for the store to begin to send an object, in milliseconds. It is short, because a viewer may be
 * waiting.
 */
const READ_MS = 5000
/**
 * Time limit for any other answer of the store, in milliseconds: the usual limit, and the limit for large objects.
 */
const ANSWER_MS = 20_000
const LONGEST_ANSWER_MS = 300_000

/** Time after which an unchanged refusal is logged again, in milliseconds. */
const REPEAT_MS = 60_000

/** Error codes with which a store asks the client to retry later. */
const LATER = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
])

/**
 * Error codes of stores without space: Ceph and others, then MinIO. OpenStack answers `EntityTooLarge` when a quota is
 * reached. For segments, that code has no other cause, because they are far smaller than any store's limit.
 */
const FULL = new Set([
  'EntityTooLarge',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  'XMinioStorageFull',
])

/** Advice for operators, by the store's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  AuthorizationHeaderMalformed: 'check AWS_REGION',
  InvalidAccessKeyId: 'check AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'check AWS_SECRET_ACCESS_KEY and AWS_REGION',
  AccessDenied: 'the credentials need to read, write, list and delete objects',
  NoSuchBucket: 'create the bucket, or check MEDIA_STORE',
  RequestTimeTooSkewed: 'set the clock of this machine',
  PermanentRedirect: 'check AWS_REGION and AWS_ENDPOINT_URL_S3',
}

/** Largest answer about the bucket, in bytes: a listing of 1000 objects. */
const LARGEST_TEXT = 8_000_000

/**
 * Client of an S3-compatible store. Uses path-style addresses, which all such stores support. Logs when the store
 * stops answering, when it answers again, and each new refusal. No message contains credentials.
 */
export class S3Client {
  /** The bucket and its endpoint, for messages. */
  readonly where: string
  readonly #settings: S3Settings
  readonly #base: URL
  readonly #pool: Pool
  readonly #log: FastifyBaseLogger
  /** Cache of derived signing keys, one per day. */
  readonly #keys = new Map<string, ArrayBuffer>()
  readonly #closing: AbortSignal
  #isDown = false
  #lastRefusal = { message: '', at: 0 }

  /** @param closing ends the retries of requests when the service closes */
  constructor(settings: S3Settings, log: FastifyBaseLogger, closing: AbortSignal) {
    this.#settings = settings
    this.#closing = closing
    this.#log = log
    this.#base = new URL(settings.endpoint)
    this.where = `s3://${settings.bucket} at ${this.#base.origin}`
    this.#pool = new Pool(this.#base.origin, {
      connections: null,
      connectTimeout: 5000,
      bodyTimeout: 30_000,
    })
  }

  /**
   * Sends a request. The caller must read or dump the body of the answer.
   *
   * @throws StoreError if the store gives no answer, or refuses the request. A missing object is no error.
   */
  async send(request: S3Request): Promise<S3Answer> {
    return await this.#complete(request, async (answer) => answer)
  }

  /**
   * Sends a request and reads its answer with `read`. A {@link StoreError} that `read` throws is handled like a
   * failed request.
   */
  async #complete<Result>(request: S3Request, read: (answer: S3Answer) => Promise<Result>): Promise<Result> {
    const until = performance.now() + request.patienceMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const result = await read(await this.#sendOnce(request))
        this.#report()
        return result
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        const isOver = error.kind !== 'unreachable' || performance.now() + pause > until
        this.#report(error)
        if (isOver || this.#closing.aborted) throw error
        request.onRetry?.()
        await this.#rest(pause, request.signal)
      }
    }
  }

  /** Returns an object; undefined if it does not exist. */
  async read(key: string, patienceMs: number): Promise<Buffer | undefined> {
    return await this.#complete({ method: 'GET', key, patienceMs }, async ({ statusCode, body }) => {
      if (statusCode === 200) return Buffer.from(await this.#received(body.arrayBuffer()))
      await body.dump()
      return undefined
    })
  }

  /** Returns the text of an object; undefined if it does not exist. */
  async readText(key: string, patienceMs: number): Promise<string | undefined> {
    return (await this.read(key, patienceMs))?.toString()
  }

  /** Writes an object. */
  async put(
    key: string,
    body: Buffer | string,
    options: Pick<S3Request, 'patienceMs' | 'signal' | 'onRetry'>,
  ) {
    const answer = await this.send({ ...options, method: 'PUT', key, body })
    await answer.body.dump()
  }

  /** Copies an object inside the bucket. */
  async copy(from: string, to: string, options: Pick<S3Request, 'patienceMs' | 'signal' | 'onRetry'>) {
    const headers = { 'x-amz-copy-source': `/${this.#settings.bucket}/${encoded(from)}` }
    await this.#complete({ ...options, method: 'PUT', key: to, headers }, async (answer) => {
      // If a copy fails half-way, the store answers 200 with an error in the body.
      const { code } = faultOf(await this.#textOf(answer))
      if (answer.statusCode !== 200 || code !== '')
        throw this.#refusal(`did not copy an object (${code || answer.statusCode})`, code)
    })
  }

  /** Lists the objects and, with `delimiter`, the folders below a prefix. */
  async *list(
    prefix: string,
    options: { delimiter?: '/'; patienceMs: number },
  ): AsyncGenerator<ListedObjects> {
    let token: string | undefined
    do {
      const request: S3Request = {
        method: 'GET',
        patienceMs: options.patienceMs,
        query: {
          'list-type': '2',
          // XML cannot express all object names, so the store must URL-encode them.
          'encoding-type': 'url',
          prefix,
          ...(options.delimiter && { delimiter: options.delimiter }),
          ...(token !== undefined && { 'continuation-token': token }),
        },
      }
      const listed = await this.#complete(request, async (answer) => {
        const listing = readListing(await this.#textOf(answer))
        if (listing) return listing
        throw this.#error('refused', `does not answer a listing as S3 does (${answer.statusCode})`)
      })
      yield listed
      token = listed.next
    } while (token !== undefined)
  }

  /** Deletes all objects whose names begin with `prefix`, which must end with `/`. */
  async deletePrefix(prefix: string, patienceMs: number): Promise<void> {
    if (!/[0-9a-f]{32}\/$/.test(prefix)) throw new RangeError(`not the folder of an entry: ${prefix}`)
    for await (const { objects } of this.list(prefix, { patienceMs }))
      await this.delete(
        objects.map(({ key }) => key),
        patienceMs,
      )
  }

  /** Deletes objects. The body contains their names, because a URL cannot express all names. */
  async delete(keys: readonly string[], patienceMs: number): Promise<void> {
    if (keys.length === 0) return
    const names = keys.map((key) => `<Object><Key>${escaped(key)}</Key></Object>`).join('')
    const body = `<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${names}</Delete>`
    const headers = {
      'content-type': 'application/xml',
      'content-md5': createHash('md5').update(body).digest('base64'),
    }
    await this.#complete(
      { method: 'POST', query: { delete: '' }, headers, body, patienceMs },
      async (answer) => {
        const text = await this.#textOf(answer)
        const [refused = faultOf(text).code] = refusedKeys(text)
        if (answer.statusCode !== 200 || refused !== '')
          throw this.#refusal(`did not delete objects (${refused || answer.statusCode})`, refused)
      },
    )
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #sendOnce({ method, key, query, headers, body, patienceMs, signal }: S3Request): Promise<S3Answer> {
    const signed = await this.#sign(method, this.#addressOf(key, query), headers, body)
    const isRead = key !== undefined && (method === 'GET' || method === 'HEAD')
    let answer: S3Answer
    try {
      answer = await this.#pool.request({
        method,
        path: signed.path,
        headers: signed.headers,
        body: body ?? null,
        signal: signal ?? null,
        // This limit also covers the time for sending the body of the request, such as an object.
        headersTimeout: isRead ? READ_MS : Math.min(Math.max(patienceMs, ANSWER_MS), LONGEST_ANSWER_MS),
      })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      throw this.#error('unreachable', `cannot be reached (${reasonOf(error)})`, error)
    }
    const { statusCode } = answer
    if (ANSWERS.has(statusCode) || (statusCode === 404 && isRead)) return answer
    throw await this.#faultOf(method, answer)
  }

  async #faultOf(method: string, answer: S3Answer): Promise<StoreError> {
    const { statusCode } = answer
    // An answer to HEAD has no body.
    const code = faultOf(await this.#textOf(answer)).code || codeOf(statusCode)
    if (statusCode === 507 || FULL.has(code))
      return this.#error('full', `is full, or a quota is reached (${statusCode} ${code})`)
    if (statusCode >= 500 || statusCode === 408 || statusCode === 429 || LATER.has(code))
      return this.#error('unreachable', `answers ${statusCode} (${code})`)
    const advice = ADVICE[code]
    return this.#error('refused', `refuses ${method} (${statusCode} ${code})${advice ? `: ${advice}` : ''}`)
  }

  /** Returns the text of an answer. @throws StoreError unreachable if the answer breaks off */
  async #textOf({ body }: S3Answer): Promise<string> {
    const read = async () => {
      let text = ''
      for await (const chunk of body.setEncoding('utf8')) {
        text += String(chunk)
        if (text.length > LARGEST_TEXT) throw this.#error('refused', 'sends an answer that is too large')
      }
      return text
    }
    return await this.#received(read())
  }

  /** Returns the body that `reading` reads. @throws StoreError unreachable if the body breaks off */
  async #received<Body>(reading: Promise<Body>): Promise<Body> {
    try {
      return await reading
    } catch (error) {
      if (error instanceof StoreError) throw error
      throw this.#error('unreachable', `cannot be reached (${reasonOf(error)})`, error)
    }
  }

  #addressOf(key: string | undefined, query: Record<string, string> = {}): URL {
    const folder = this.#base.pathname.replace(/\/$/, '')
    const url = new URL(this.#base)
    const path = `${folder}/${this.#settings.bucket}${key === undefined ? '' : `/${encoded(key)}`}`
    url.pathname = path
    // URL parsing removes the segments `.` and `..`. The address would then belong to another object.
    if (url.pathname !== path) throw new RangeError('no address has this name')
    url.search = new URLSearchParams(query).toString()
    return url
  }

  async #sign(method: string, url: URL, headers: Record<string, string> = {}, body: Buffer | string = '') {
    const { region, accessKeyId, secretAccessKey } = this.#settings
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
      accessKeyId,
      secretAccessKey,
      service: 's3',
      region,
      cache: this.#keys,
    }).sign()
    return { path: `${signed.url.pathname}${signed.url.search}`, headers: Object.fromEntries(signed.headers) }
  }

  async #rest(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const ending = AbortSignal.any([this.#closing, ...(signal ? [signal] : [])])
    try {
      await setTimeout(milliseconds, undefined, { signal: ending })
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!ending.aborted) throw error
    }
  }

  /**
   * Logs a change: the store stops answering, the store answers again, or it refuses a request for a new reason.
   */
  #report(fault?: StoreError): void {
    if (fault !== undefined && fault.kind !== 'unreachable') {
      const { message, at } = this.#lastRefusal
      if (message === fault.message && performance.now() - at < REPEAT_MS) return
      this.#lastRefusal = { message: fault.message, at: performance.now() }
      this.#log.error(`the store media: ${fault.message}`)
      return
    }
    const isDown = fault !== undefined
    if (isDown === this.#isDown) return
    this.#isDown = isDown
    if (isDown) this.#log.error(`the store media: ${fault.message}`)
    else this.#log.info(`the store media: ${this.where} answers again`)
  }

  /** Returns the error for an answer with this code. Codes that ask to retry later count as `unreachable`. */
  #refusal(what: string, code: string): StoreError {
    if (FULL.has(code)) return this.#error('full', what)
    return this.#error(LATER.has(code) ? 'unreachable' : 'refused', what)
  }

  #error(kind: StoreError['kind'], what: string, cause?: unknown): StoreError {
    return new StoreError(kind, `${this.where} ${what}`, { cause })
  }
}

/**
 * Returns an object's name as a path. The signature requires all characters to be encoded that RFC 3986 reserves.
 */
function encoded(key: string): string {
  return encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function escaped(text: string): string {
  return text.replace(
    // Control characters too: XML has no references to most of them, but stores accept such references.
    /[&<>"'\p{Cc}]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  )
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

/** Returns the error code of an answer without a body, by its status. */
function codeOf(status: number): string {
  if (status === 403) return 'AccessDenied'
  if (status === 301 || status === 307) return 'PermanentRedirect'
  return ''
}
