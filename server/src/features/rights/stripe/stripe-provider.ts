import { type BundledLanguage, bundledLanguage } from '@ondine/contract/languages'
import { Stripe } from 'stripe'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import type {
  DashboardRequest,
  ListedMethod,
  PaymentProvider,
  PaymentRequest,
  ProviderBook,
  ProviderPayment,
  ReceivedNotice,
  VerifiedNotice,
} from '../payments/payment-provider.ts'
import { customerOfStripe, forgetStripeCustomers, stripeCustomerOf } from './stripe-customers.ts'
import { ask, isKeptFailure, isRefusal } from './stripe-errors.ts'
import {
  bookOf,
  cardOf,
  closeObject,
  intentOf,
  isClosed,
  isDeclined,
  isOpen,
  isReplaced,
  isUntried,
  methodOf,
  needsCustomer,
  objectIdOf,
  paidAtOf,
  paymentIntentOf,
  readObject,
  type StripeObject,
} from './stripe-objects.ts'
import {
  changeStripePayment,
  findStripePayment,
  requireStripePayment,
  type StripePayment,
} from './stripe-payments.ts'

const CURRENCY = 'eur'

/** Only cards are accepted: a card can be charged again for renewals, and the card's bank answers at once. */
const CARDS_ONLY = ['card' as const]

const LOCALES = { fra: 'fr', eng: 'en' } as const satisfies Record<BundledLanguage, string>

/**
 * How long a Checkout page stays valid after its payment has expired, in seconds. Stripe requires at least half an
 * hour between the creation and the expiry of a page, even for a page created just before the payment expires.
 * {@link StripeProvider.query} closes the page of an expired payment.
 */
const PAGE_GRACE_SECONDS = 31 * 60

/** Maximum age of a notice, in seconds. */
const NOTICE_TOLERANCE_SECONDS = 5 * 60

/**
 * Returned for a valid notice without a payment key. The operator may sell other products with the same Stripe
 * account.
 */
const NO_PAYMENT = ''

/** Error codes for a charge whose money the customer has already: by a refund, or by the bank after a dispute. */
const RETURNED: ReadonlySet<string> = new Set(['charge_already_refunded', 'charge_disputed'])

/** Maximum number of cards that are read for a customer. */
const MOST_CARDS = 100

/** Events about the saved cards of a customer. */
type CardEvent = Extract<Stripe.Event, { type: `payment_method.${string}` }>

function isAboutCards(event: Stripe.Event): event is CardEvent {
  return event.type.startsWith('payment_method.')
}

/** A payment with its Stripe object. */
interface Held {
  payment: StripePayment
  object: StripeObject
}

/**
 * Payments by Stripe, on a Checkout page or with a saved card (docs/decisions/0055). Creating a Stripe object
 * moves no money. The id of the object is stored before the customer sees the page or the card is charged. A new
 * object is created only after the previous object is closed. For a payment of 0 cents, the object is a page that
 * saves a card.
 */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe'
  readonly brandBillingProviderId = 6
  readonly #stripe: Stripe
  readonly #noticeSecret: string
  readonly #db: Database
  readonly #clock: Clock

  constructor(stripe: Stripe, noticeSecret: string, { db, clock }: { db: Database; clock: Clock }) {
    this.#stripe = stripe
    this.#noticeSecret = noticeSecret
    this.#db = db
    this.#clock = clock
  }

  async start(request: PaymentRequest): Promise<ProviderPayment> {
    return await this.#answer(request.key, await this.#hold(request))
  }

  async charge(request: PaymentRequest, methodReference: string): Promise<ProviderPayment> {
    const held = await this.#hold(request, methodReference)
    if (held?.object.way !== 'charge' || this.#isOver(held.payment))
      return await this.#answer(request.key, held)
    const { payment } = held
    const { intent, isRefused } = isUntried(held.object.intent)
      ? await this.#confirm(payment, held.object.intent, methodReference)
      : { intent: held.object.intent, isRefused: false }
    const object = { way: 'charge', intent } as const
    if (needsCustomer(intent)) {
      // From now on, a charge of this card leads to a page. Store this before the PaymentIntent is closed, so that
      // concurrent calls go to the page too.
      await changeStripePayment(this.#db, payment, { confirmedCard: methodReference })
      return await this.start(request)
    }
    if (isReplaced(object)) return await this.start(request)
    const outcome = isRefused ? await closeObject(this.#stripe, object, 'abandoned') : object
    return await this.#answer(request.key, { payment, object: outcome })
  }

  async refund(key: string): Promise<void> {
    const payment = await findStripePayment(this.#db, key)
    const object = payment && (await readObject(this.#stripe, payment))
    const intent = object && paymentIntentOf(object)
    if (payment === undefined || intent?.status !== 'succeeded')
      throw new Error(`Payment ${key} cannot be refunded.`)
    const { latest_charge: charge } = intent
    if (charge !== null && typeof charge !== 'string' && charge.refunded) return
    try {
      await ask(
        async () =>
          await this.#stripe.refunds.create(
            { payment_intent: intent.id, metadata: { key } },
            { idempotencyKey: `${keyOfTurn(payment)}-refund` },
          ),
      )
    } catch (error) {
      // Stripe may have made the refund before the failure. The next call then finds the charge refunded.
      if (isKeptFailure(error)) await changeStripePayment(this.#db, payment, { turn: payment.turn + 1 })
      const isDone =
        error instanceof Stripe.errors.StripeInvalidRequestError && RETURNED.has(error.code ?? '')
      if (!isDone) throw error
    }
  }

  async query(key: string): Promise<ProviderPayment | undefined> {
    const payment = await findStripePayment(this.#db, key)
    const object = payment && (await readObject(this.#stripe, payment))
    return object && (await this.#answer(key, { payment, object }))
  }

  async bookOf(key: string): Promise<ProviderBook | undefined> {
    const payment = await findStripePayment(this.#db, key)
    const object = payment && (await readObject(this.#stripe, payment))
    return object && (await bookOf(this.#stripe, object))
  }

  async verifyNotice({ headers, body }: ReceivedNotice, now: number): Promise<VerifiedNotice | undefined> {
    const signature = headers['stripe-signature']
    if (typeof signature !== 'string') return undefined
    const event = this.#eventOf(body, signature, now)
    if (event === undefined) return undefined
    if (isAboutCards(event)) return await this.#cardsNotice(event)
    if (event.type !== 'charge.dispute.created') return { key: keyIn(event.data.object), isDispute: false }
    const { payment_intent: disputed } = event.data.object
    if (disputed === null) return { key: NO_PAYMENT, isDispute: true }
    const intentId = typeof disputed === 'string' ? disputed : disputed.id
    const intent = await ask(async () => await this.#stripe.paymentIntents.retrieve(intentId))
    return { key: keyIn(intent), isDispute: true }
  }

  async #cardsNotice({ data }: CardEvent): Promise<VerifiedNotice> {
    // A detached card names its customer only among its previous attributes.
    const previous = 'previous_attributes' in data ? data.previous_attributes?.customer : undefined
    const customer = data.object.customer ?? previous
    const stripeId = typeof customer === 'string' ? customer : customer?.id
    const cardsOf = stripeId === undefined ? undefined : await customerOfStripe(this.#db, stripeId)
    return { key: NO_PAYMENT, isDispute: false, cardsOf }
  }

  async cardsOf(customer: string): Promise<ListedMethod[]> {
    const id = await stripeCustomerOf(this.#db, this.#stripe, customer)
    const { data } = await ask(
      async () => await this.#stripe.paymentMethods.list({ customer: id, type: 'card', limit: MOST_CARDS }),
    )
    return data.flatMap((method) => {
      const card = cardOf(method)
      return card === null ? [] : [{ ...card, savedAt: method.created * 1000 }]
    })
  }

  #eventOf(body: string, signature: string, now: number): Stripe.Event | undefined {
    try {
      return this.#stripe.webhooks.constructEvent(
        body,
        signature,
        this.#noticeSecret,
        NOTICE_TOLERANCE_SECONDS,
        undefined,
        now,
      )
    } catch {
      // The library throws errors of several kinds for forged notices, so every error counts as a forged notice.
      return undefined
    }
  }

  async openDashboard({ customer, language, returnUrl }: DashboardRequest): Promise<string> {
    const id = await stripeCustomerOf(this.#db, this.#stripe, customer)
    const { url } = await ask(
      async () =>
        await this.#stripe.billingPortal.sessions.create({
          customer: id,
          locale: LOCALES[bundledLanguage(language)],
          return_url: returnUrl,
        }),
    )
    return url
  }

  /** See {@link forgetStripeCustomers}. */
  async forgetCustomers(signal?: AbortSignal): Promise<number> {
    return await forgetStripeCustomers({ db: this.#db, stripe: this.#stripe, now: this.#clock.now() }, signal)
  }

  /**
   * Returns the Stripe object of a request. Keeps the existing object if money has arrived or a bank is about to
   * answer. Otherwise closes an object of the other kind (page or charge) first, so that only one object at a time
   * can be paid.
   *
   * @param card saved card to charge. A page is used if `card` is omitted, or if the card's bank requires a
   * confirmation by the customer
   * @returns undefined if the payment has expired before an object was created
   */
  async #hold(request: PaymentRequest, card?: string): Promise<Held | undefined> {
    const payment = await requireStripePayment(this.#db, request, card === undefined ? 'page' : 'charge')
    const way = card === undefined || payment.confirmedCard === card ? 'page' : 'charge'
    const held = await this.#make(request, payment)
    if (this.#isOver(payment)) return held
    // A concurrent request has changed the payment. Continue with the stored state.
    if (held === undefined) return await this.#hold(request, card)
    if (payment.way === way && !isReplaced(held.object)) return held
    const object = await closeObject(this.#stripe, held.object, 'duplicate')
    if (!isReplaced(object)) return { ...held, object }
    await changeStripePayment(this.#db, payment, { way, turn: payment.turn + 1, objectId: null })
    return await this.#hold(request, card)
  }

  /**
   * Returns the Stripe object of a payment, and creates it if it is missing.
   *
   * @returns undefined if a concurrent request has changed the payment, or if the payment has expired
   */
  async #make(request: PaymentRequest, payment: StripePayment): Promise<Held | undefined> {
    const known = await readObject(this.#stripe, payment)
    if (known) return { payment, object: known }
    if (this.#isOver(payment)) return undefined
    const object = await this.#create(request, payment)
    const stored = await changeStripePayment(this.#db, payment, { objectId: objectIdOf(object) })
    return stored && { payment: stored, object: (await readObject(this.#stripe, stored)) ?? object }
  }

  async #create(request: PaymentRequest, payment: StripePayment): Promise<StripeObject> {
    const customer = await stripeCustomerOf(this.#db, this.#stripe, request.customer)
    const options = { idempotencyKey: keyOfTurn(payment) }
    const { way } = payment
    try {
      return way === 'page'
        ? {
            way,
            session: await ask(
              async () => await this.#stripe.checkout.sessions.create(pageOf(request, customer), options),
            ),
          }
        : {
            way,
            intent: await ask(
              async () => await this.#stripe.paymentIntents.create(chargeOf(request, customer), options),
            ),
          }
    } catch (error) {
      // Stripe may have created an object before the failure. Its id is unknown here, so the object can take no
      // money.
      if (isKeptFailure(error)) await changeStripePayment(this.#db, payment, { turn: payment.turn + 1 })
      throw error
    }
  }

  /**
   * Charges a saved card. Concurrent calls charge the card only once, because their requests have the same
   * idempotency key.
   */
  async #confirm(
    payment: StripePayment,
    { id }: Stripe.PaymentIntent,
    method: string,
  ): Promise<{ intent: Stripe.PaymentIntent; isRefused: boolean }> {
    let isRefused = false
    try {
      await ask(
        async () =>
          await this.#stripe.paymentIntents.confirm(
            id,
            { payment_method: method, off_session: true },
            { idempotencyKey: `${keyOfTurn(payment)}-${method}` },
          ),
      )
    } catch (error) {
      if (!isRefusal(error)) throw error
      isRefused = true
    }
    const object = await readObject(this.#stripe, { way: 'charge', objectId: id })
    if (object?.way !== 'charge') throw new Error(`There is no PaymentIntent ${id}.`)
    return { intent: object.intent, isRefused }
  }

  /**
   * Returns the state of a payment, read from its Stripe object. Closes the object first if the card was declined
   * or the payment has expired.
   */
  async #answer(key: string, held: Held | undefined): Promise<ProviderPayment> {
    if (held === undefined) return (await this.query(key)) ?? { state: 'open', action: null }
    const { payment } = held
    const isOver = this.#isOver(payment)
    const object =
      isOver || isDeclined(held.object)
        ? await closeObject(this.#stripe, held.object, 'abandoned')
        : held.object
    if (isClosed(object)) {
      // For an expired payment, `open` lets the order expire. For an object that is being replaced, `open` keeps
      // the order open.
      return isOver || isReplaced(object) ? { state: 'open', action: null } : { state: 'failed' }
    }
    // An object that is neither closed nor open is paid, or waits for a bank.
    if (isOpen(object) && !isOver)
      return { state: 'open', action: object.way === 'page' ? object.session.url : null }
    const intent = intentOf(object)
    if (intent?.status !== 'succeeded') return { state: 'processing' }
    return { state: 'succeeded', paidAt: paidAtOf(intent), method: methodOf(intent) }
  }

  #isOver({ expiresAt }: StripePayment): boolean {
    return expiresAt <= this.#clock.now()
  }
}

/** Returns the idempotency key for the Stripe object or the refund of the current turn. */
function keyOfTurn({ key, turn }: StripePayment): string {
  return turn === 0 ? key : `${key}-${turn}`
}

function pageOf(request: PaymentRequest, customer: string): Stripe.Checkout.SessionCreateParams {
  const { key, cents, description, language, returnUrl, expiresAt } = request
  const metadata = { key }
  const page = {
    customer,
    allowed_payment_method_types: CARDS_ONLY,
    metadata,
    success_url: returnUrl,
    cancel_url: leftAddress(returnUrl),
    locale: LOCALES[bundledLanguage(language)],
    expires_at: Math.ceil(expiresAt / 1000) + PAGE_GRACE_SECONDS,
  }
  if (cents === 0)
    return { ...page, mode: 'setup', currency: CURRENCY, setup_intent_data: { description, metadata } }
  return {
    ...page,
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: CURRENCY, unit_amount: cents, product_data: { name: description } },
      },
    ],
    // Charge every customer in euros.
    adaptive_pricing: { enabled: false },
    payment_intent_data: { setup_future_usage: 'off_session', description, metadata },
    saved_payment_method_options: { allow_redisplay_filters: ['always', 'limited', 'unspecified'] },
  }
}

/**
 * Returns the address for a customer who leaves the page without paying. The screen there says that nothing was paid.
 */
function leftAddress(returnUrl: string): string {
  const url = new URL(returnUrl)
  url.searchParams.set('left', '1')
  return url.href
}

function chargeOf(request: PaymentRequest, customer: string): Stripe.PaymentIntentCreateParams {
  const { key, cents, description } = request
  return {
    amount: cents,
    currency: CURRENCY,
    customer,
    description,
    metadata: { key },
    allowed_payment_method_types: CARDS_ONLY,
  }
}

/** Returns the payment key of a Stripe object. An object of another product has none. */
function keyIn(object: Stripe.Event['data']['object'] | Stripe.PaymentIntent): string {
  return ('metadata' in object ? object.metadata?.key : undefined) ?? NO_PAYMENT
}
