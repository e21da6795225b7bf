import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Settings } from '../src/env.ts'
import { reconcileOrders } from '../src/features/rights/orders/order-jobs.ts'
import { orders } from '../src/features/rights/orders/orders.table.ts'
import { paymentMethods } from '../src/features/rights/payments/payments.table.ts'
import { openStripe } from '../src/features/rights/stripe/open-stripe.ts'
import type { Actor } from './builders.ts'
import {
  FakeStripe,
  type Fault,
  type STRIPE_CARDS,
  STRIPE_KEY,
  STRIPE_NOTICE_SECRET,
  signStripeNotice,
} from './fake-stripe.ts'
import { Purchases } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON } from './service.ts'
import { soldTitles } from './sold-titles.ts'

const NOTICES = '/payments/stripe/notices'
const PAYMENT_DATA = { paymentData: '{"brandBillingProviderId":6}' }

/**
 * Creates a service that takes payments by Stripe, for the tests of a `describe` block, with offers and a buyer.
 * The fake Stripe uses the clock of the service.
 */
export function stripePayments(kind: DatabaseKind) {
  let now = NOON
  const stripe = new FakeStripe(() => now)
  const settings: Partial<Settings> = {
    SANDBOX_PAYMENTS: true,
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_NOTICE_SECRET,
  }
  beforeAll(async () => {
    settings.STRIPE_API_BASE = await stripe.start()
  })
  const scene = testScene(kind, { actor: { tokenDays: 400 }, settings })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())
  const setClock = (time: number) => {
    now = time
    scene.service.clock.set(time)
  }
  beforeEach(() => {
    stripe.notices.length = 0
    stripe.requests.length = 0
  })
  afterEach(() => {
    stripe.fault = () => undefined
    stripe.hold = () => undefined
    setClock(NOON)
  })
  afterAll(async () => await stripe.stop())

  const db = () => scene.service.context.db
  const provider = () => {
    const opened = openStripe(scene.service.context)
    if (!opened) throw new Error('Stripe is not switched on.')
    return opened
  }
  const reconcile = async () =>
    await reconcileOrders({ ...shop.parts, providers: new Map([['stripe', provider()]]) })
  const stateOf = async (orderId: number) => {
    const [order] = await db().select().from(orders).where(eq(orders.id, orderId))
    return order?.state
  }
  const keyOf = async (orderId: number) => (await shop.paymentOf(orderId)).key
  const charged = async (orderId: number) => stripe.charged(await keyOf(orderId))
  const sessionOf = (action: string) => [...stripe.sessions.values()].find(({ url }) => url === action)
  const intentOf = async (orderId: number) => stripe.intentsOf(await keyOf(orderId)).at(-1)

  /** Requests payment of the cart. */
  const press = async (fields: Parameters<typeof shop.ask>[0] = {}, actor: Actor = scene.actor) =>
    await shop.ask({ ...PAYMENT_DATA, ...fields }, actor)
  async function rent(
    fields: Parameters<typeof shop.ask>[0] = {},
    actor: Actor = scene.actor,
    contentId = titles.encre,
  ) {
    expect((await shop.add(['rental'], contentId, actor)).status).toBe(200)
    const { status, result, error } = await press(fields, actor)
    if (status !== 200) throw new Error(JSON.stringify(error))
    return { orderId: result.orderId, action: result.action ?? '' }
  }
  /** Buys a plan, after which the account has a saved card. @returns the card's id as a payment method */
  async function saveCard(card: keyof typeof STRIPE_CARDS, actor: Actor = scene.actor): Promise<string> {
    await shop.add(['cinema-monthly'], undefined, actor)
    const { result } = await press({}, actor)
    expect(stripe.pay(result.action ?? '', card)).toBe(true)
    expect(await shop.status(result.orderId, actor)).toBe('executed')
    const [row] = await db()
      .select()
      .from(paymentMethods)
      .where(eq(paymentMethods.accountId, actor.account.id))
    stripe.notices.length = 0
    stripe.requests.length = 0
    return `saved-${row?.id}`
  }
  const notify = async (payload: string, headers: Record<string, string>) =>
    await scene.service.app.inject({
      method: 'POST',
      url: NOTICES,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
  /** Sends notices as Stripe does. @returns the HTTP statuses of the answers */
  async function send(bodies: readonly string[]): Promise<number[]> {
    const statuses: number[] = []
    for (const body of bodies)
      statuses.push((await notify(body, { 'stripe-signature': signStripeNotice(body, now) })).statusCode)
    return statuses
  }
  /** Delays the next answer to a request. @returns a function that releases the answer */
  function holdNext(request: string): () => void {
    const gate = Promise.withResolvers<void>()
    stripe.hold = (name) => {
      if (name !== request) return undefined
      stripe.hold = () => undefined
      return gate.promise
    }
    return gate.resolve
  }
  const failing = (request: RegExp, fault: Fault) => {
    stripe.fault = (name) => (request.test(name) ? fault : undefined)
  }

  return {
    stripe,
    scene,
    shop,
    titles,
    setClock,
    db,
    provider,
    reconcile,
    stateOf,
    keyOf,
    charged,
    sessionOf,
    intentOf,
    press,
    rent,
    saveCard,
    notify,
    send,
    holdNext,
    failing,
  }
}
