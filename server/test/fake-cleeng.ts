import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import type { Settings } from '../src/env.ts'
import { closeServer, listenLocally } from './local-server.ts'

export const PUBLISHER_ID = '870875731'
const PUBLISHER_TOKEN = 'publisher-token-of-the-tests'
/** Checkout page of the fake service. */
export const CHECKOUT_URL = 'https://checkout.cleeng.test/buy?theme=dark'

/** A subscription as the service reports it. Times are seconds since the Unix epoch. */
interface FakeSubscription {
  offerId: string
  status: string
  expiresAt: number
  startedAt: number
  subscriptionId?: number
}

/** A wrong answer instead of the correct one. `silent` closes the connection. */
type Fault = 'silent' | { status: number; body: unknown }

/** Fields that Ondine sends to the subscription service. The fake refuses any other field. */
const FIELDS = {
  auths: z.strictObject({ email: z.email(), customerIP: z.string().min(1).optional() }),
  customers: z.strictObject({
    email: z.email(),
    publisherId: z.literal(PUBLISHER_ID),
    externalId: z.string().regex(/^\d+$/),
    locale: z.enum(['fr_FR', 'en_US']),
    country: z.string().regex(/^[A-Z]{2}$/),
    currency: z.literal('EUR'),
    password: z.string().min(20),
    customerIP: z.string().min(1).optional(),
  }),
}

/** Fake of Cleeng's MediaStore API on loopback. */
export class FakeCleeng {
  readonly #server: Server
  #count = 0
  /** Ids of customers by e-mail address. */
  readonly customers = new Map<string, number>()
  readonly #subscriptions = new Map<number, FakeSubscription[]>()
  readonly #tokens = new Map<string, number>()
  /** Received requests, such as `POST /sso/auths`. */
  readonly requests: string[] = []
  fault: (request: string) => Fault | undefined = () => undefined
  /** Delays answers about subscriptions. An answer shows the subscriptions before the delay. */
  delay: () => Promise<void> = async () => {}

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    })
  }

  /** Listens on a free port. @returns the settings of an installation that uses this service */
  async start(): Promise<Partial<Settings>> {
    const origin = await listenLocally(this.#server)
    return {
      CLEENG_API_BASE: `${origin}/`,
      CLEENG_PUBLISHER_ID: PUBLISHER_ID,
      CLEENG_PUBLISHER_TOKEN: PUBLISHER_TOKEN,
      CLEENG_CHECKOUT_URL: CHECKOUT_URL,
      OUTBOUND_ALLOW: ['127.0.0.1'],
    }
  }

  async stop(): Promise<void> {
    await closeServer(this.#server)
  }

  /** Sets the subscriptions of a customer. */
  holds(email: string, ...subscriptions: FakeSubscription[]): void {
    this.#subscriptions.set(this.customers.get(email) ?? this.#make(email), subscriptions)
  }

  #make(email: string): number {
    const id = 690_000_000 + ++this.#count
    this.customers.set(email, id)
    return id
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request)
    if (answer === 'silent') {
      response.destroy()
      return
    }
    const { status, body } = answer
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  async #answer(request: IncomingMessage): Promise<Fault> {
    const name = `${request.method} ${request.url}`
    this.requests.push(name)
    const fault = this.fault(name)
    const body = await text(request)
    if (fault) return fault
    const held = /^GET \/customers\/(\d+)\/offers$/.exec(name)
    if (held) {
      const answer = this.#offers(Number(held[1]), request.headers.authorization)
      await this.delay()
      return answer
    }
    if (request.headers['x-publisher-token'] !== PUBLISHER_TOKEN) return refusal(401, 'Unauthorized')
    if (name === 'POST /sso/auths') return this.#signIn(body)
    if (name === 'POST /customers') return this.#register(body)
    return refusal(404, 'Not found')
  }

  #signIn(body: string): Fault {
    const fields = FIELDS.auths.safeParse(readJson(body))
    if (!fields.success) return refusal(400, 'Invalid request body')
    const customerId = this.customers.get(fields.data.email)
    if (customerId === undefined) return refusal(422, 'Customer does not exist')
    const claims = { customerId, publisherId: Number(PUBLISHER_ID), turn: ++this.#count }
    const jwt = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`
    this.#tokens.set(jwt, customerId)
    return {
      status: 200,
      body: { responseData: { jwt, refreshToken: `refresh-${this.#count}` }, errors: [] },
    }
  }

  #register(body: string): Fault {
    const fields = FIELDS.customers.safeParse(readJson(body))
    if (!fields.success) return refusal(400, 'Invalid request body')
    if (this.customers.has(fields.data.email)) return refusal(422, 'Customer already exists')
    this.#make(fields.data.email)
    return { status: 200, body: { responseData: {}, errors: [] } }
  }

  #offers(customerId: number, authorization: string | undefined): Fault {
    if (this.#tokens.get(authorization?.replace(/^Bearer /, '') ?? '') !== customerId)
      return refusal(401, 'Unauthorized')
    return {
      status: 200,
      body: { responseData: { items: this.#subscriptions.get(customerId) ?? [] }, errors: [] },
    }
  }
}

function refusal(status: number, message: string): Fault {
  return { status, body: { responseData: {}, errors: [message] } }
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
