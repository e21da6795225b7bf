import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import * as z from 'zod'
import { closeServer, listenLocally } from './local-server.ts'

export const STRIPE_KEY = 'sk_test_of_the_tests'
export const STRIPE_NOTICE_SECRET = 'whsec_of_the_tests'

/** Behaviour of test cards, on a payment page and in later charges. With the card `waits`, the bank decides later. */
export const STRIPE_CARDS = {
  good: { brand: 'visa', last4: '4242', onPage: 'pays', later: 'pays' },
  other: { brand: 'mastercard', last4: '4444', onPage: 'pays', later: 'pays' },
  declined: { brand: 'visa', last4: '0002', onPage: 'declined', later: 'declined' },
  declinedLater: { brand: 'visa', last4: '0341', onPage: 'pays', later: 'declined' },
  confirmedLater: { brand: 'visa', last4: '3184', onPage: 'pays', later: 'asks' },
  waits: { brand: 'visa', last4: '0119', onPage: 'waits', later: 'waits' },
} as const
type Card = keyof typeof STRIPE_CARDS

/**
 * Faults of a request: no answer or an error, before or after the request is executed. As Stripe does, the fake
 * repeats an error for the same idempotency key.
 */
export type Fault = 'silent' | 'silentAfter' | 'error' | 'errorAfter' | 'busy'

type Customer = Pick<Stripe.Customer, 'id' | 'object' | 'metadata'>
type Charge = Pick<
  Stripe.Charge,
  'id' | 'object' | 'amount' | 'amount_refunded' | 'customer' | 'created' | 'refunded' | 'disputed'
>
type Dispute = Pick<Stripe.Dispute, 'id' | 'object' | 'metadata' | 'status'> & {
  charge: string
  payment_intent: string
}
type Method = Pick<Stripe.PaymentMethod, 'id' | 'object' | 'type' | 'customer' | 'created'> & {
  card: Pick<Stripe.PaymentMethod.Card, 'brand' | 'last4' | 'exp_month' | 'exp_year'>
}
type Intent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_received'
  | 'currency'
  | 'created'
  | 'metadata'
  | 'status'
  | 'last_payment_error'
  | 'cancellation_reason'
> & { customer: string; payment_method: string | null; latest_charge: string | null }
type Attempt = Pick<Stripe.SetupAttempt, 'id' | 'object' | 'created'>
type Setup = Pick<
  Stripe.SetupIntent,
  | 'id'
  | 'object'
  | 'created'
  | 'metadata'
  | 'description'
  | 'status'
  | 'usage'
  | 'last_setup_error'
  | 'cancellation_reason'
> & { customer: string; payment_method: string | null; latest_attempt: string | null }
type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'mode'
  | 'metadata'
  | 'status'
  | 'url'
  | 'expires_at'
  | 'locale'
  | 'success_url'
  | 'cancel_url'
  | 'amount_total'
> & { customer: string; payment_intent: string | null; setup_intent: string | null }

interface RefusedWith {
  type: Stripe.RawErrorType
  code?: string
  message?: string
}

/** Thrown for a request that Stripe refuses. */
class Refusal extends Error {
  readonly status: number
  readonly error: RefusedWith

  constructor(status: number, error: RefusedWith) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

/** All cards are valid until the end of August 2031. */
const EXPIRY = { exp_month: 8, exp_year: 2031 }

const EURO = z.literal('eur')
const cents = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(50).max(99_999_999))
const metadata = z.strictObject({ key: z.uuid() })
const cardsOnly = z.strictObject({ 0: z.literal('card') })
const expand = z.record(z.string(), z.string()).default({})

/** Parameters of every page on which a customer enters a card: to pay, or only to save the card. */
const page = {
  customer: z.string(),
  allowed_payment_method_types: cardsOnly,
  metadata,
  success_url: z.url(),
  cancel_url: z.url(),
  locale: z.enum(['fr', 'en']),
  expires_at: z.string().regex(/^\d+$/).transform(Number),
}

/** Parameters that Ondine sends to Stripe. The fake refuses any other parameter. */
const PARAMETERS = {
  customer: z.strictObject({ metadata: z.strictObject({ account: z.string() }) }),
  // A page that saves a card sells nothing, so Stripe refuses parameters about money.
  setup: z.strictObject({
    ...page,
    mode: z.literal('setup'),
    currency: EURO,
    setup_intent_data: z.strictObject({ description: z.string().min(1).max(1000), metadata }),
  }),
  payment: z.strictObject({
    ...page,
    mode: z.literal('payment'),
    line_items: z.strictObject({
      0: z.strictObject({
        quantity: z.literal('1'),
        price_data: z.strictObject({
          currency: EURO,
          unit_amount: cents,
          product_data: z.strictObject({ name: z.string().min(1) }),
        }),
      }),
    }),
    adaptive_pricing: z.strictObject({ enabled: z.literal('false') }),
    payment_intent_data: z.strictObject({
      setup_future_usage: z.literal('off_session'),
      description: z.string().min(1),
      metadata,
    }),
    saved_payment_method_options: z.strictObject({ allow_redisplay_filters: expand }),
  }),
  intent: z.strictObject({
    amount: cents,
    currency: EURO,
    customer: z.string(),
    description: z.string().min(1),
    metadata,
    allowed_payment_method_types: cardsOnly,
  }),
  confirmation: z.strictObject({ payment_method: z.string(), off_session: z.literal('true') }),
  cancellation: z.strictObject({ cancellation_reason: z.enum(['abandoned', 'duplicate']) }),
  refund: z.strictObject({ payment_intent: z.string(), metadata }),
  dashboard: z.strictObject({ customer: z.string(), locale: z.enum(['fr', 'en']), return_url: z.url() }),
  disputes: z.strictObject({ charge: z.string() }),
  cards: z.strictObject({ customer: z.string(), type: z.literal('card'), limit: z.literal('100') }),
  reading: z.strictObject({ expand }),
}
const session = z.discriminatedUnion('mode', [PARAMETERS.payment, PARAMETERS.setup])

/**
 * A fake of Stripe on loopback, with its own records. It behaves as Stripe documents, and refuses the same
 * requests as Stripe.
 */
export class FakeStripe {
  readonly #server: Server
  readonly #now: () => number
  readonly #answers = new Map<string, { request: string; status: number; body: unknown }>()
  #count = 0
  readonly customers = new Map<string, Customer>()
  readonly methods = new Map<string, Method & { behaves: Card }>()
  readonly sessions = new Map<string, Session>()
  readonly intents = new Map<string, Intent>()
  readonly charges = new Map<string, Charge>()
  readonly disputes = new Map<string, Dispute>()
  readonly setups = new Map<string, Setup>()
  readonly attempts = new Map<string, Attempt>()
  /** Bodies of the notices, in the order of their events. */
  readonly notices: string[] = []
  /** Answered requests, such as `POST /v1/refunds`. */
  readonly requests: string[] = []
  /** Returns the fault of a request, if any. */
  fault: (request: string) => Fault | undefined = () => undefined
  /** Delays the answer to a request. The request itself is executed at once. */
  hold: (request: string) => Promise<void> | undefined = () => undefined

  /** @param now returns milliseconds since the Unix epoch */
  constructor(now: () => number) {
    this.#now = now
    this.#server = createServer((request, response) => {
      void this.#serve(request, response)
    })
  }

  /** @returns the address of the server */
  async start(): Promise<string> {
    return await listenLocally(this.#server)
  }

  async stop(): Promise<void> {
    await closeServer(this.#server)
  }

  /** Enters a card on a payment page, or on a page that only saves the card. @returns whether the page accepted it */
  pay(url: string, card: Card = 'good'): boolean {
    const session = [...this.sessions.values()].find((each) => each.url === url)
    if (session?.status !== 'open' || session.expires_at * 1000 <= this.#now()) return false
    if (session.mode === 'setup') return this.#save(session, card)
    const { id: key, customer, amount_total: amount, metadata: named } = session
    const intent =
      this.intents.get(session.payment_intent ?? '') ?? this.#intent(customer, amount ?? 0, named ?? {})
    session.payment_intent = intent.id
    const method = this.#method(customer, card)
    const { onPage } = STRIPE_CARDS[card]
    if (onPage === 'declined') {
      this.#decline(intent, 'card_declined')
      return false
    }
    Object.assign(session, { status: 'complete', url: null })
    intent.payment_method = method.id
    this.#note('checkout.session.completed', this.sessions.get(key) ?? session)
    if (onPage === 'waits') intent.status = 'processing'
    else this.#succeed(intent)
    return true
  }

  /** Enters a card on a page that only saves the card. */
  #save(session: Session, card: Card): boolean {
    const setup = need(this.setups, session.setup_intent ?? '')
    const attempt: Attempt = { id: this.#id('setatt'), object: 'setup_attempt', created: this.#seconds() }
    this.attempts.set(attempt.id, attempt)
    setup.latest_attempt = attempt.id
    const { onPage } = STRIPE_CARDS[card]
    if (onPage === 'declined') {
      this.#refuse(setup)
      return false
    }
    setup.payment_method = this.#method(session.customer, card).id
    Object.assign(session, { status: 'complete', url: null })
    if (onPage === 'waits') setup.status = 'processing'
    else this.#accept(setup)
    this.#note('checkout.session.completed', session)
    return true
  }

  #accept(setup: Setup): void {
    setup.status = 'succeeded'
    this.#note('setup_intent.succeeded', setup)
  }

  #refuse(setup: Setup): void {
    const error: Stripe.SetupIntent.LastSetupError = { type: 'card_error', code: 'card_declined' }
    Object.assign(setup, { status: 'requires_payment_method', last_setup_error: error, payment_method: null })
    this.#note('setup_intent.setup_failed', setup)
  }

  /** Makes the bank of a card decide on a payment, or on saving the card. */
  answerBank(key: string, pays: boolean): void {
    for (const setup of this.setups.values())
      if (setup.metadata?.key === key && setup.status === 'processing') {
        if (pays) this.#accept(setup)
        else this.#refuse(setup)
      }
    for (const intent of this.intentsOf(key))
      if (intent.status === 'processing') {
        if (pays) this.#succeed(intent)
        else this.#decline(intent, 'card_declined')
      }
  }

  /** Adds a card in the customer portal. @returns the id of the card */
  addCard(customer: string, card: Card): string {
    const method = this.#method(customer, card)
    this.#note('payment_method.attached', method)
    return method.id
  }

  /** Removes a card in the customer portal. */
  removeCard(id: string): void {
    const { customer, ...method } = need(this.methods, id)
    this.methods.delete(id)
    this.#note('payment_method.detached', { ...method, customer: null }, { customer })
  }

  /** Changes the expiry of a card in the customer portal. */
  changeExpiry(id: string, expiry: { exp_month: number; exp_year: number }): void {
    const method = need(this.methods, id)
    Object.assign(method.card, expiry)
    this.#note('payment_method.updated', method)
  }

  /** Makes the customer dispute a payment at the bank, which takes its money back. */
  dispute(key: string): Dispute {
    const [intent] = this.intentsOf(key)
    const charge = need(this.charges, intent?.latest_charge ?? '')
    charge.disputed = true
    const dispute: Dispute = {
      id: this.#id('du'),
      object: 'dispute',
      metadata: {},
      status: 'needs_response',
      charge: charge.id,
      payment_intent: intent?.id ?? '',
    }
    this.disputes.set(dispute.id, dispute)
    this.#note('charge.dispute.created', dispute)
    return dispute
  }

  intentsOf(key: string): Intent[] {
    return [...this.intents.values()].filter((intent) => intent.metadata.key === key)
  }

  /** Returns the amount that a payment has charged and not refunded, in cents. */
  charged(key: string): number {
    return this.intentsOf(key).reduce((sum, { latest_charge: id }) => {
      const charge = this.charges.get(id ?? '')
      return sum + (charge && !charge.refunded ? charge.amount : 0)
    }, 0)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://stripe.test')
    const name = `${request.method} ${url.pathname}`
    const body = await text(request)
    const fault = this.fault(name)
    const send = (status: number, answer: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (fault === 'silent') return void request.socket.destroy()
    if (fault === 'busy') return void send(429, { error: { type: 'rate_limit_error' } })
    if (request.headers.authorization !== `Bearer ${STRIPE_KEY}`)
      return void send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
    const key = String(request.headers['idempotency-key'] ?? '')
    const asked = `${name} ${body}`
    const known = key === '' ? undefined : this.#answers.get(key)
    if (known && known.request !== asked)
      return void send(400, { error: { type: 'idempotency_error', message: 'Other parameters before' } })
    const answer = known ?? this.#answer(name, fields(request.method === 'GET' ? url.search : body), fault)
    if (key !== '') this.#answers.set(key, { request: asked, ...answer })
    this.requests.push(name)
    if (fault === 'silentAfter') return void request.socket.destroy()
    await this.hold(name)
    send(answer.status, answer.body)
  }

  #answer(name: string, given: unknown, fault: Fault | undefined): { status: number; body: unknown } {
    const failure = { status: 500, body: { error: { type: 'api_error' } } }
    if (fault === 'error') return failure
    try {
      // Clones the answer, because a repetition must show the object as it was at first.
      const body = structuredClone(this.#carryOut(name, given))
      return fault === 'errorAfter' ? failure : { status: 200, body }
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: { error: error.error } }
      const message = error instanceof Error ? error.message : ''
      return { status: 400, body: { error: { type: 'invalid_request_error', message } } }
    }
  }

  #carryOut(name: string, given: unknown): unknown {
    const [, verb = '', noun = '', id = '', action = ''] =
      /^(\w+) \/v1\/(customers|checkout\/sessions|payment_intents|payment_methods|refunds|disputes|billing_portal\/sessions)(?:\/(\w+)(?:\/(\w+))?)?$/.exec(
        name,
      ) ?? []
    const calls: Record<string, () => unknown> = {
      'POST customers': () => {
        const made = { id: this.#id('cus'), object: 'customer', ...PARAMETERS.customer.parse(given) } as const
        this.customers.set(made.id, made)
        return made
      },
      'DELETE customers/:id': () => {
        need(this.customers, id)
        this.customers.delete(id)
        for (const method of this.methods.values()) if (method.customer === id) this.methods.delete(method.id)
        return { id, object: 'customer', deleted: true }
      },
      'POST checkout/sessions': () => this.#open(session.parse(given)),
      'GET checkout/sessions/:id': () => this.#present(need(this.sessions, id), given),
      'POST checkout/sessions/:id/expire': () => {
        const session = need(this.sessions, id)
        if (session.status !== 'open') throw invalid('Only open sessions can be expired.')
        Object.assign(session, { status: 'expired', url: null })
        const intent = this.intents.get(session.payment_intent ?? '')
        if (intent) intent.status = 'canceled'
        const setup = this.setups.get(session.setup_intent ?? '')
        if (setup) setup.status = 'canceled'
        this.#note('checkout.session.expired', session)
        return this.#present(session, given)
      },
      'POST payment_intents': () => {
        const { customer, amount, metadata: named } = PARAMETERS.intent.parse(given)
        need(this.customers, customer)
        return this.#intent(customer, amount, named)
      },
      'GET payment_intents/:id': () => this.#present(need(this.intents, id), given),
      'POST payment_intents/:id/confirm': () => this.#confirm(need(this.intents, id), given),
      'POST payment_intents/:id/cancel': () => {
        const intent = need(this.intents, id)
        if (!intent.status.startsWith('requires_'))
          throw invalid('Not now', 'payment_intent_unexpected_state')
        Object.assign(intent, { status: 'canceled', ...PARAMETERS.cancellation.parse(given) })
        return intent
      },
      'POST refunds': () => {
        const intent = need(this.intents, PARAMETERS.refund.parse(given).payment_intent)
        const charge = need(this.charges, intent.latest_charge ?? '')
        if (this.#isTakenBack(charge)) throw invalid('Charged back', 'charge_disputed')
        if (charge.refunded) throw invalid('Refunded already', 'charge_already_refunded')
        Object.assign(charge, { refunded: true, amount_refunded: charge.amount })
        return { id: this.#id('re'), object: 'refund', status: 'succeeded' }
      },
      'GET payment_methods': () => {
        const { customer } = PARAMETERS.cards.parse(given)
        need(this.customers, customer)
        const data = [...this.methods.values()].filter((method) => method.customer === customer)
        return { object: 'list', data, has_more: false, url: '/v1/payment_methods' }
      },
      'GET disputes': () => {
        const { charge } = PARAMETERS.disputes.parse(given)
        const data = [...this.disputes.values()].filter((each) => each.charge === charge)
        return { object: 'list', data, has_more: false, url: '/v1/disputes' }
      },
      'POST billing_portal/sessions': () => {
        const { customer } = PARAMETERS.dashboard.parse(given)
        need(this.customers, customer)
        return { object: 'billing_portal.session', url: `https://billing.stripe.test/${customer}` }
      },
    }
    const call = calls[`${verb} ${noun}${id && '/:id'}${action && `/${action}`}`]
    if (!call) throw new Refusal(404, { type: 'invalid_request_error', message: `No ${name}` })
    return call()
  }

  #isTakenBack({ id }: Charge): boolean {
    return [...this.disputes.values()].some(({ charge, status }) => charge === id && status !== 'won')
  }

  #open(given: z.output<typeof session>): Session {
    need(this.customers, given.customer)
    const lives = given.expires_at - this.#now() / 1000
    if (lives < 1800 || lives > 86_400) throw invalid('expires_at must be 30 minutes to 24 hours from now')
    const { metadata: named } = given.mode === 'setup' ? given.setup_intent_data : given.payment_intent_data
    if (given.metadata.key !== named.key) throw invalid('Two payments in one')
    const id = this.#id('cs')
    const session: Session = {
      id,
      object: 'checkout.session',
      mode: given.mode,
      metadata: given.metadata,
      status: 'open',
      url: `https://checkout.stripe.test/${id}`,
      expires_at: given.expires_at,
      locale: given.locale,
      success_url: given.success_url,
      cancel_url: given.cancel_url,
      customer: given.customer,
      amount_total: given.mode === 'setup' ? null : given.line_items[0].price_data.unit_amount,
      payment_intent: null,
      setup_intent: given.mode === 'setup' ? this.#setup(given.customer, given.setup_intent_data).id : null,
    }
    this.sessions.set(id, session)
    return { ...session }
  }

  #confirm(intent: Intent, given: unknown): Intent {
    const { payment_method: id } = PARAMETERS.confirmation.parse(given)
    const method = need(this.methods, id)
    if (!/^requires_(payment_method|confirmation)$/.test(intent.status))
      throw invalid('Not now', 'payment_intent_unexpected_state')
    if (method.customer !== intent.customer) throw invalid('The card is another customer’s')
    intent.payment_method = id
    switch (STRIPE_CARDS[method.behaves].later) {
      case 'declined':
        this.#decline(intent, 'card_declined')
        throw new Refusal(402, { type: 'card_error', code: 'card_declined' })
      case 'asks':
        this.#decline(intent, 'authentication_required')
        throw new Refusal(402, { type: 'card_error', code: 'authentication_required' })
      case 'waits':
        intent.status = 'processing'
        return intent
      default:
        return this.#succeed(intent)
    }
  }

  #setup(
    customer: string,
    { description, metadata: named }: { description: string; metadata: Stripe.Metadata },
  ): Setup {
    const setup: Setup = {
      id: this.#id('seti'),
      object: 'setup_intent',
      created: this.#seconds(),
      metadata: named,
      description,
      status: 'requires_payment_method',
      usage: 'off_session',
      last_setup_error: null,
      cancellation_reason: null,
      customer,
      payment_method: null,
      latest_attempt: null,
    }
    this.setups.set(setup.id, setup)
    return setup
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000)
  }

  #intent(customer: string, amount: number, named: Stripe.Metadata): Intent {
    const intent: Intent = {
      id: this.#id('pi'),
      object: 'payment_intent',
      amount,
      amount_received: 0,
      currency: 'eur',
      created: this.#seconds(),
      metadata: named,
      status: 'requires_payment_method',
      last_payment_error: null,
      cancellation_reason: null,
      customer,
      payment_method: null,
      latest_charge: null,
    }
    this.intents.set(intent.id, intent)
    return intent
  }

  #method(customer: string, behaves: Card): Method {
    const { brand, last4 } = STRIPE_CARDS[behaves]
    const id = this.#id('pm')
    const card = { brand, last4, ...EXPIRY }
    const created = this.#seconds()
    const method = { id, object: 'payment_method', type: 'card', customer, created, card } as const
    this.methods.set(id, { ...method, behaves })
    return method
  }

  #succeed(intent: Intent): Intent {
    const { amount, customer } = intent
    const created = this.#seconds()
    const charge: Charge = {
      id: this.#id('ch'),
      object: 'charge',
      amount,
      amount_refunded: 0,
      customer,
      created,
      refunded: false,
      disputed: false,
    }
    this.charges.set(charge.id, charge)
    Object.assign(intent, { status: 'succeeded', amount_received: amount, latest_charge: charge.id })
    this.#note('payment_intent.succeeded', intent)
    return intent
  }

  #decline(intent: Intent, code: Stripe.PaymentIntent.LastPaymentError['code']): void {
    const error: Stripe.PaymentIntent.LastPaymentError = { type: 'card_error', ...(code && { code }) }
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error })
    this.#note('payment_intent.payment_failed', intent)
  }

  #note(
    type: Stripe.Event['type'],
    object: Session | Intent | Setup | Dispute | Method,
    previous?: object,
  ): void {
    const id = this.#id('evt')
    const data = { object, ...(previous && { previous_attributes: previous }) }
    this.notices.push(JSON.stringify({ id, object: 'event', type, data }))
  }

  /**
   * Returns an object as an answer contains it. Ids that the request asks to expand are replaced by their objects.
   */
  #present(object: Session | Intent, given: unknown): unknown {
    const asked = Object.values(PARAMETERS.reading.parse(given).expand)
    const present = (intent: Intent, prefix: string) => ({
      ...intent,
      ...(asked.includes(`${prefix}payment_method`) && {
        payment_method: this.methods.get(intent.payment_method ?? '') ?? null,
      }),
      ...(asked.includes(`${prefix}latest_charge`) && {
        latest_charge: this.charges.get(intent.latest_charge ?? '') ?? null,
      }),
    })
    if (object.object === 'payment_intent') return present(object, '')
    const intent = this.intents.get(object.payment_intent ?? '')
    const setup = this.setups.get(object.setup_intent ?? '')
    return {
      ...object,
      ...(intent &&
        asked.includes('payment_intent') && { payment_intent: present(intent, 'payment_intent.') }),
      ...(setup && asked.includes('setup_intent') && { setup_intent: this.#presentSetup(setup, asked) }),
    }
  }

  #presentSetup(setup: Setup, asked: readonly string[]): unknown {
    return {
      ...setup,
      ...(asked.includes('setup_intent.payment_method') && {
        payment_method: this.methods.get(setup.payment_method ?? '') ?? null,
      }),
      ...(asked.includes('setup_intent.latest_attempt') && {
        latest_attempt: this.attempts.get(setup.latest_attempt ?? '') ?? null,
      }),
    }
  }

  #id(kind: string): string {
    this.#count += 1
    return `${kind}_${this.#count}`
  }
}

/** Returns the signature header of a notice. @param now milliseconds since the Unix epoch */
export function signStripeNotice(payload: string, now: number, secret = STRIPE_NOTICE_SECRET): string {
  const timestamp = Math.floor(now / 1000)
  return new Stripe(STRIPE_KEY).webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** Parses the fields of a form, with names such as `line_items[0][quantity]`. */
function fields(form: string): unknown {
  const all: Fields = {}
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '')
    const last = path.pop() ?? ''
    let inside = all
    for (const part of path) {
      const next = inside[part]
      inside = typeof next === 'object' ? next : (inside[part] = {})
    }
    inside[last] = value
  }
  return all
}

interface Fields {
  [name: string]: string | Fields
}

function need<Value>(all: ReadonlyMap<string, Value>, id: string): Value {
  const found = all.get(id)
  if (found === undefined) throw invalid(`No such object: ${id}`, 'resource_missing')
  return found
}

function invalid(message: string, code?: string): Refusal {
  return new Refusal(400, { type: 'invalid_request_error', message, ...(code && { code }) })
}
