import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { PushMessage } from '@ondine/contract/push'
import { fetch } from 'undici'
import { type CheckedFetch, checkedFetch } from '../src/outbound/fetch-checked.ts'
import { closeServer, listenLocally } from './local-server.ts'

/** Public origin of the subscriptions. Only {@link FakePushService.fetch} reaches the push service there. */
const ORIGIN = 'https://push.example.org'

/** Maximum validity of a signed request, in seconds (RFC 8292, section 2). */
const DAY_SECONDS = 86_400

/** A browser with a subscription at the fake push service. */
export class FakeBrowser {
  readonly endpoint: string
  /** Public key of the only service whose messages the browser accepts, in base64url. */
  readonly serverKey: string
  readonly #keys: ECDH = createECDH('prime256v1')
  readonly #secret = randomBytes(16)
  /** Received and decrypted messages, the oldest first. */
  readonly messages: PushMessage[] = []

  constructor(endpoint: string, serverKey: string) {
    this.endpoint = endpoint
    this.serverKey = serverKey
    this.#keys.generateKeys()
  }

  /** Fields of the call by which the page registers its subscription. */
  get fields(): { endpoint: string; publicKey: string; secret: string } {
    return {
      endpoint: this.endpoint,
      publicKey: this.#keys.getPublicKey('base64url'),
      secret: this.#secret.toString('base64url'),
    }
  }

  /** Decrypts a body of one record (RFC 8188, RFC 8291). @throws Error if the body is not for this browser */
  receive(body: Buffer): void {
    const salt = body.subarray(0, 16)
    const keyLength = body.readUInt8(20)
    const senderKey = body.subarray(21, 21 + keyLength)
    const record = body.subarray(21 + keyLength)
    if (record.length > body.readUInt32BE(16)) throw new Error('The message has several records.')
    const shared = this.#keys.computeSecret(senderKey)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), senderKey])
    const input = Buffer.from(hkdfSync('sha256', shared, this.#secret, info, 32))
    const derive = (use: string, length: number) =>
      Buffer.from(hkdfSync('sha256', input, salt, Buffer.from(`Content-Encoding: ${use}\0`), length))
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
    decipher.setAuthTag(record.subarray(-16))
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    const end = padded.lastIndexOf(2)
    if (end < 0) throw new Error('The last record has no delimiter.')
    // The cast needs no check, because the tests compare the message itself.
    this.messages.push(JSON.parse(padded.subarray(0, end).toString()) as PushMessage)
  }
}

/**
 * A fake push service on loopback (RFC 8030). It verifies the sender (RFC 8292), and decrypts messages as browsers
 * do.
 */
export class FakePushService {
  readonly #server: Server
  readonly #browsers = new Map<string, FakeBrowser>()
  /** Origin at which the push service really is. */
  loopback = ''
  /** Received requests, each as the path of its subscription. */
  readonly requests: string[] = []
  /** Reasons of the refused requests. */
  readonly refusals: string[] = []
  /** Status of every answer, if set. */
  fault: number | undefined

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    })
  }

  /** Listens on a free port. */
  async start(): Promise<void> {
    this.loopback = await listenLocally(this.#server)
  }

  /** Calls this push service by its public addresses. Refuses private addresses, as the service does. */
  readonly fetch: CheckedFetch = async (address, init) => {
    const { origin, pathname } = new URL(address)
    if (origin !== ORIGIN) return await checkedFetch([])(address, init)
    return await fetch(this.loopback + pathname, init)
  }

  async stop(): Promise<void> {
    await closeServer(this.#server)
  }

  /** Subscribes a new browser, as `pushManager.subscribe` does. */
  subscribe(serverKey: string): FakeBrowser {
    const path = `/send/${randomBytes(9).toString('base64url')}`
    const browser = new FakeBrowser(ORIGIN + path, serverKey)
    this.#browsers.set(path, browser)
    return browser
  }

  /** Ends a subscription, like a browser whose data was cleared. */
  unsubscribe({ endpoint }: FakeBrowser): void {
    this.#browsers.delete(new URL(endpoint).pathname)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const path = request.url ?? ''
    this.requests.push(path)
    response.writeHead(this.fault ?? this.#answer(path, request.headers, body)).end()
  }

  #answer(path: string, headers: IncomingHttpHeaders, body: Buffer): number {
    const browser = this.#browsers.get(path)
    if (!browser) return 410
    try {
      requireHeaders(headers)
      this.#requireSender(headers.authorization ?? '', browser)
      browser.receive(body)
      return 201
    } catch (error) {
      this.refusals.push(String(error))
      return 403
    }
  }

  /** Verifies the sender. @throws Error if the request is not signed with the subscription's key */
  #requireSender(authorization: string, browser: FakeBrowser): void {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
    if (key !== browser.serverKey) throw new Error('The key is not that of the subscription.')
    const [head = '', claims = '', signature = ''] = token.split('.')
    const point = Buffer.from(key, 'base64url')
    const x = point.subarray(1, 33).toString('base64url')
    const y = point.subarray(33).toString('base64url')
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const signed = Buffer.from(`${head}.${claims}`)
    const wanted = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', signed, wanted, Buffer.from(signature, 'base64url')))
      throw new Error('The signature is wrong.')
    const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const seconds = exp - Date.now() / 1000
    if (aud !== ORIGIN) throw new Error(`The token is for ${aud}.`)
    if (!(seconds > 0 && seconds <= DAY_SECONDS))
      throw new Error('The token is valid for too long or too short.')
    if (sub !== 'mailto:service@ondine.test') throw new Error(`The sender is ${sub}.`)
  }
}

function requireHeaders({ ttl, topic, ...headers }: IncomingHttpHeaders): void {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('The encoding is not aes128gcm.')
  if (typeof ttl !== 'string' || !/^\d+$/.test(ttl)) throw new Error('The request has no TTL.')
  if (typeof topic !== 'string' || !/^[\w-]{1,32}$/.test(topic)) throw new Error('The topic is invalid.')
}
