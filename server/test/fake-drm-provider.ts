import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type * as z from 'zod'
import type { Settings } from '../src/env.ts'
import { closeServer, listenLocally } from './local-server.ts'

/** A licence of the fakes: the content that a device would decrypt, without encryption. */
export interface FakeLicence {
  system: 'widevine' | 'fairPlay'
  /** The request of the device, in base64. */
  request: string
  /** Keys in hexadecimal digits, by key id. */
  keys: Record<string, string>
  /** Initialisation vectors in hexadecimal digits, by key id; FairPlay only. */
  vectors: Record<string, string>
  userId: string
  isHardwareOnly: boolean
  hdcp: 'none' | '1.0' | '2.2'
  /** Times of a licence that the device stores; null for a licence that is valid for one playback session only. */
  kept: { expiresAt: string; playSeconds: number } | null
}

/** A request that a fake provider received. */
export interface Received {
  method: string
  /** Path with query. */
  url: URL
  headers: IncomingMessage['headers']
  body: Buffer
}

/** An answer of a fake provider. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: Buffer | string
}

/** Thrown for a token or request that the real provider would refuse. */
class Refused extends Error {
  override name = 'Refused'
}

/** Requires a condition of the published format. @throws Refused */
export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Refused(what)
}

/** Parses JSON of a published format. @throws Refused if it has another form */
export function parsed<Form>(form: z.ZodType<Form>, json: string, what: string): Form {
  const read = form.safeParse(JSON.parse(json))
  demand(read.success, `${what}: ${read.error?.message}`)
  return read.data
}

/** The behaviour of one provider. */
export interface Provider {
  /** Settings of an installation at the provider, whose API is at `base`. */
  settings(base: string): Partial<Settings>
  /** Answers a request. @throws Refused */
  answer(received: Received): Reply
}

/** The FairPlay certificate of all fake providers. It begins like DER. */
export const CERTIFICATE = Buffer.concat([Buffer.from('30820122', 'hex'), Buffer.from('fairplay')])

/** A fake provider of licences on loopback. It verifies tokens as the provider documents them. */
export class FakeDrmProvider {
  readonly #provider: Provider
  readonly #server: Server
  /** Received requests, such as `POST /AcquireLicense`. */
  readonly requests: string[] = []
  /** Reasons of the refused requests. */
  readonly refusals: string[] = []
  /**
   * Failure that the provider simulates. A number is the status of the answer. `silent` never answers, `closed`
   * closes the connection, `page` answers with a proxy's error page, `long` with a very long body.
   */
  fault: 'silent' | 'closed' | 'page' | 'long' | number | undefined

  constructor(provider: Provider) {
    this.#provider = provider
    this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    })
  }

  /** Listens on a free port. @returns the settings of an installation that uses this provider */
  async start(): Promise<Partial<Settings>> {
    const origin = await listenLocally(this.#server)
    return {
      ...this.#provider.settings(origin),
      OUTBOUND_ALLOW: ['127.0.0.1'],
    }
  }

  async stop(): Promise<void> {
    await closeServer(this.#server)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request
    const url = new URL(request.url ?? '', `http://${headers.host}`)
    const body = await buffer(request)
    this.requests.push(`${method} ${url.pathname}`)
    if (this.fault === 'silent') return
    if (this.fault === 'closed') return void response.destroy()
    const reply = this.#reply({ method, url, headers, body })
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '')
  }

  #reply(received: Received): Reply {
    if (this.fault === 'page')
      return {
        headers: { 'content-type': 'Text/HTML; charset=utf-8' },
        body: '<!doctype html><title>Maintenance</title>',
      }
    if (this.fault === 'long') return { body: Buffer.alloc(300_000, 'AAAA') }
    return typeof this.fault === 'number' ? { status: this.fault } : this.#answer(received)
  }

  #answer(received: Received): Reply {
    try {
      return this.#provider.answer(received)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.refusals.push(error.message)
      return { status: 403, body: error.message }
    }
  }
}

/** Writes a licence as bytes. */
export function writeFakeLicence(licence: FakeLicence): Buffer {
  return Buffer.from(JSON.stringify(licence))
}

/** Returns the fields of a form. */
export function formOf({ headers, body }: Received): URLSearchParams {
  demand(headers['content-type'] === 'application/x-www-form-urlencoded', 'a form')
  return new URLSearchParams(body.toString('latin1'))
}

/** Returns a header. @throws Refused if it is missing */
export function headerOf({ headers }: Received, name: string): string {
  const value = headers[name]
  demand(typeof value === 'string' && value !== '', `the header ${name}`)
  return value
}
