import { anonymizeMe } from '@ondine/contract/account-calls'
import { getBillingDashboardAccess, listPaymentMethods } from '@ondine/contract/orders'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import {
  FakeStripe,
  type Fault,
  type STRIPE_CARDS,
  STRIPE_KEY,
  STRIPE_NOTICE_SECRET,
  signStripeNotice,
} from '../../../test/fake-stripe.ts'
import { Purchases } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import type { Settings } from '../../env.ts'
import { checkLedger } from '../accounting/check-ledger.ts'
import { reconcileOrders } from '../orders/order-jobs.ts'
import { orders } from '../orders/orders.table.ts'
import { renewSubscriptions } from '../orders/renewal-jobs.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import { requestOf } from '../payments/payments.service.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { openStripe } from './open-stripe.ts'

const NOTICES = '/payments/stripe/notices'
const MINUTE_MS = 60_000
const PRESSES = Array.from({ length: 20 }, (_, index) => index)
const PAYMENT_DATA = { paymentData: '{"brandBillingProviderId":6}' }
const PAID = { payment: { provider: 399, customers: -399 }, sale: { customers: 399, sales: -332, vat: -67 } }
const GIVEN_BACK = { payment: { provider: 399, customers: -399 }, refund: { customers: 399, provider: -399 } }

describe.each(DATABASES)('payments by Stripe, on a database of kind %s', (kind) => {
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
  const scene = testScene(kind, { settings })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })
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

  /** Asks for the payment of what is in the cart. */
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
  /** Buys a plan, so that the account has a saved card. @returns the name of the card as a payment method */
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
  /** Keeps the next answer to a request back. @returns lets it go */
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

  describe('on its page', () => {
    it('A7.1-30 A4.8-04 sell what was paid, once, for the amount of the order', async () => {
      const { orderId, action } = await rent()
      expect(sessionOf(action)).toMatchObject({ amount_total: 399, locale: 'fr', status: 'open' })
      expect(sessionOf(action)?.success_url).toBe(`http://localhost/offers/confirmation?orderId=${orderId}`)
      expect(await shop.status(orderId)).toBe('submitted')
      expect(stripe.pay(action)).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
      expect(await shop.movements(orderId)).toEqual(PAID)
      expect(await shop.plays(titles.encre)).toBe(0)
    })

    it('are one page and one customer, whoever presses at once', async () => {
      await shop.add(['rental'], titles.encre)
      const before = stripe.customers.size
      const answers = await Promise.all(PRESSES.map(async () => await press()))
      expect(new Set(answers.map(({ status, result }) => `${status} ${result?.action}`)).size).toBe(1)
      expect(stripe.customers.size).toBe(before + 1)
    })

    it('can be begun again in the last moment', async () => {
      const first = await rent()
      setClock(NOON + 15 * MINUTE_MS - 1)
      expect((await press()).result.action).toBe(first.action)
      const other = await scene.make.actor()
      setClock(NOON)
      failing(/POST .*sessions/, 'silent')
      await shop.add(['rental'], titles.encre, other)
      expect((await press({}, other)).error.code).toBe(-505)
      stripe.fault = () => undefined
      setClock(NOON + 15 * MINUTE_MS - 1)
      expect((await press({}, other)).status).toBe(200)
    })

    it('A4.2-07 expire with their order: Stripe takes no money from then on', async () => {
      const { orderId, action } = await rent()
      setClock(NOON + 15 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('expired')
      expect(stripe.pay(action)).toBe(false)
      expect(await charged(orderId)).toBe(0)
    })

    it('that were paid in time are sold, however late that is heard', async () => {
      const { orderId, action } = await rent()
      stripe.pay(action)
      setClock(NOON + 60 * MINUTE_MS)
      await reconcile()
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('stay open after a declined card, which can be changed there', async () => {
      const { orderId, action } = await rent()
      expect(stripe.pay(action, 'declined')).toBe(false)
      expect(await shop.status(orderId)).toBe('submitted')
      expect(stripe.pay(action, 'good')).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('wait for a bank past the time of the order, and are sold or failed by its answer', async () => {
      const [pays, refuses] = [await rent(), await rent({}, await scene.make.actor())]
      for (const { action } of [pays, refuses]) stripe.pay(action, 'waits')
      setClock(NOON + 20 * MINUTE_MS)
      await reconcile()
      expect([await stateOf(pays.orderId), await stateOf(refuses.orderId)]).toEqual([
        'submitted',
        'submitted',
      ])
      stripe.answerBank(await keyOf(pays.orderId), true)
      stripe.answerBank(await keyOf(refuses.orderId), false)
      await reconcile()
      expect([await stateOf(pays.orderId), await stateOf(refuses.orderId)]).toEqual(['executed', 'expired'])
      expect([await charged(pays.orderId), await charged(refuses.orderId)]).toEqual([399, 0])
    })
  })

  describe('with a saved card', () => {
    it('A3-28 A4.8-03 charge it at once, without a page', async () => {
      const paymentMethod = await saveCard('good')
      const listed = (await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)).result
      expect(listed[0]).toMatchObject({
        paymentMethod,
        paymentProvider: 'stripe',
        brandBillingProviderId: 6,
        paymentBrand: 'visa',
        label: '•••• 4242',
        lastUsage: NOON / 1000,
        hasDashboard: true,
      })
      const { orderId, action } = await rent({ paymentMethod })
      expect(action).toBe('')
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
      expect(await shop.movements(orderId)).toEqual(PAID)
    })

    it('charge it once, whoever presses at once', async () => {
      const paymentMethod = await saveCard('good')
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(PRESSES.map(async () => await press({ paymentMethod })))
      expect(answers.every(({ status, error }) => status === 200 || error.code === -500)).toBe(true)
      const orderId = answers.find(({ status }) => status === 200)?.result.orderId ?? 0
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
      expect(stripe.intentsOf(await keyOf(orderId))).toHaveLength(1)
    })

    it('fail when it is declined, and can be charged by that order no more', async () => {
      const paymentMethod = await saveCard('declinedLater')
      const { orderId } = await rent({ paymentMethod })
      expect(await stateOf(orderId)).toBe('failed')
      expect((await intentOf(orderId))?.status).toBe('canceled')
      const again = await rent()
      expect(again.orderId).not.toBe(orderId)
      // A press that was under way when the order failed gets no page, where the order could still be paid.
      const request = requestOf(await shop.paymentOf(orderId), 'http://localhost')
      expect(await provider().start(request)).toEqual({ state: 'failed' })
      expect(await provider().query(request.key)).toEqual({ state: 'failed' })
    })

    it('go on at a page when its bank asks for the customer, the same page each time', async () => {
      const paymentMethod = await saveCard('confirmedLater')
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(PRESSES.map(async () => await press({ paymentMethod })))
      const actions = new Set(answers.map(({ result }) => result.action))
      expect(actions.size).toBe(1)
      const [{ result } = { result: undefined }] = answers
      const orderId = result?.orderId ?? 0
      expect((await press({ paymentMethod })).result.action).toBe(result?.action)
      expect(stripe.pay(result?.action ?? '')).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('go on at the page that another press has not made yet', async () => {
      const paymentMethod = await saveCard('confirmedLater')
      await shop.add(['rental'], titles.encre)
      const releaseCharge = holdNext('POST /v1/payment_intents')
      const late = press({ paymentMethod })
      await expect.poll(() => stripe.requests).toContain('POST /v1/payment_intents')
      const releasePage = holdNext('POST /v1/checkout/sessions')
      const early = press({ paymentMethod })
      await expect.poll(() => stripe.requests).toContain('POST /v1/checkout/sessions')
      releaseCharge()
      const { result } = await late
      releasePage()
      expect(sessionOf(result.action ?? '')?.status).toBe('open')
      expect((await early).result.action).toBe(result.action)
    })

    it('close the page first that the customer may still have open', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId, action } = await rent()
      expect((await press({ paymentMethod })).result.orderId).toBe(orderId)
      expect(await stateOf(orderId)).toBe('executed')
      expect(stripe.pay(action)).toBe(false)
      expect(await charged(orderId)).toBe(399)
    })

    it('charge nothing when the page was paid meanwhile', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId, action } = await rent()
      stripe.pay(action, 'other')
      expect((await press({ paymentMethod })).result).toMatchObject({ orderId, action: null })
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('charge once where page and card are pressed at once', async () => {
      const paymentMethod = await saveCard('good')
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(
        PRESSES.map(async (index) => await press(index % 2 === 0 ? {} : { paymentMethod })),
      )
      const orderId = answers.find(({ status }) => status === 200)?.result.orderId ?? 0
      for (const { result } of answers) stripe.pay(result?.action ?? '')
      await reconcile()
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('never charge the card of another account', async () => {
      await saveCard('good')
      const [card] = await db()
        .select()
        .from(paymentMethods)
        .where(eq(paymentMethods.accountId, scene.actor.account.id))
      const stranger = await scene.make.actor()
      await shop.add(['rental'], titles.encre, stranger)
      const named = await press({ paymentMethod: `saved-${card?.id}` }, stranger)
      expect(named.error.code).toBe(-2109)
      expect((await scene.service.call(listPaymentMethods, {}, stranger.tokens)).result).toHaveLength(2)
      // Also not where the number of a card at Stripe has come to another account.
      await db()
        .update(paymentMethods)
        .set({ accountId: stranger.account.id })
        .where(eq(paymentMethods.id, card?.id ?? 0))
      const { orderId } = await rent({ paymentMethod: `saved-${card?.id}` }, stranger)
      expect(await stateOf(orderId)).toBe('failed')
      expect(await charged(orderId)).toBe(0)
    })

    it('fail when the card was removed at Stripe', async () => {
      const paymentMethod = await saveCard('good')
      stripe.methods.clear()
      const { orderId } = await rent({ paymentMethod })
      expect(await stateOf(orderId)).toBe('failed')
    })
  })

  describe('interrupted', () => {
    it.each<[Fault]>([['silent'], ['silentAfter'], ['error'], ['errorAfter'], ['busy']])(
      'by an answer %s to the page, can be begun again and are paid once',
      async (fault) => {
        await shop.add(['rental'], titles.encre)
        failing(/POST .*checkout/, fault)
        expect((await press()).error.code).toBe(-505)
        stripe.fault = () => undefined
        const { result } = await press()
        expect(stripe.pay(result.action ?? '')).toBe(true)
        expect(await shop.status(result.orderId)).toBe('executed')
        expect(await charged(result.orderId)).toBe(399)
      },
    )

    it.each<[Fault, string, number]>([
      ['silent', 'expired', 0],
      ['silentAfter', 'executed', 399],
      ['error', 'expired', 0],
      ['errorAfter', 'executed', 399],
      ['busy', 'expired', 0],
    ])('by an answer %s to the charge, the order becomes %s', async (fault, state, cents) => {
      const paymentMethod = await saveCard('good')
      failing(/confirm$/, fault)
      const { orderId } = await rent({ paymentMethod })
      expect(await stateOf(orderId)).toBe('submitted')
      stripe.fault = () => undefined
      setClock(NOON + 15 * MINUTE_MS)
      await reconcile()
      expect(await stateOf(orderId)).toBe(state)
      expect(await charged(orderId)).toBe(cents)
    })

    it('while a charge has no answer, a second press charges once', async () => {
      const paymentMethod = await saveCard('good')
      failing(/confirm$/, 'silentAfter')
      const { orderId } = await rent({ paymentMethod })
      stripe.fault = () => undefined
      expect((await press({ paymentMethod })).result.orderId).toBe(orderId)
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('between the charge that asks for the customer and its page, the order goes on', async () => {
      const paymentMethod = await saveCard('confirmedLater')
      failing(/cancel$/, 'silentAfter')
      const { orderId } = await rent({ paymentMethod })
      stripe.fault = () => undefined
      expect((await intentOf(orderId))?.status).toBe('canceled')
      expect(await shop.status(orderId)).toBe('submitted')
      const { result } = await press({ paymentMethod })
      expect(stripe.pay(result.action ?? '')).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('between the page that was closed and the charge, the order goes on with either', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId, action } = await rent()
      failing(/expire$/, 'silentAfter')
      await press({ paymentMethod })
      stripe.fault = () => undefined
      expect(stripe.pay(action)).toBe(false)
      expect(await shop.status(orderId)).toBe('submitted')
      const { result } = await press()
      expect(stripe.pay(result.action ?? '')).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('before the object of a charge was stored, nothing is charged', async () => {
      const paymentMethod = await saveCard('good')
      failing(/POST .*payment_intents$/, 'silentAfter')
      const { orderId } = await rent({ paymentMethod })
      expect(await provider().query(await keyOf(orderId))).toBeUndefined()
      expect(await charged(orderId)).toBe(0)
      stripe.fault = () => undefined
      await press({ paymentMethod })
      expect(await stateOf(orderId)).toBe('executed')
      expect(stripe.intentsOf(await keyOf(orderId))).toHaveLength(1)
    })

    it('while Stripe is silent, the order stays open though its time is over', async () => {
      const { orderId, action } = await rent()
      stripe.pay(action)
      failing(/./, 'silent')
      setClock(NOON + 20 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('submitted')
      stripe.fault = () => undefined
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('by a wrong key, the service says which setting is wrong', async () => {
      const { orderId } = await rent()
      const wrong = openStripe({
        ...scene.service.context,
        settings: { ...scene.service.context.settings, STRIPE_SECRET_KEY: 'sk_test_wrong' },
      })
      await expect(wrong?.query(await keyOf(orderId))).rejects.toThrow('Stripe refuses STRIPE_SECRET_KEY.')
      expect(await stateOf(orderId)).toBe('submitted')
    })
  })

  describe('given back', () => {
    /** Two orders of one title that are both paid: the second one has nothing to give. */
    async function overpaid(): Promise<number> {
      const { orderId, action } = await rent()
      stripe.pay(action)
      const key = await keyOf(orderId)
      await db().update(orders).set({ state: 'expired' }).where(eq(orders.id, orderId))
      expect(stripe.charged(key)).toBe(399)
      return orderId
    }

    it('go back when they come for an order that is over', async () => {
      const orderId = await overpaid()
      await reconcile()
      expect((await shop.paymentOf(orderId)).state).toBe('refunded')
      expect(await provider().bookOf(await keyOf(orderId))).toEqual({ received: 399, refunded: 399 })
      expect(await charged(orderId)).toBe(0)
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
    })

    it.each<[Fault]>([['silentAfter'], ['errorAfter'], ['busy'], ['silent']])(
      'go back once, after an answer %s',
      async (fault) => {
        const orderId = await overpaid()
        failing(/refunds$/, fault)
        await reconcile()
        expect((await shop.paymentOf(orderId)).state).toBe('refundDue')
        stripe.fault = () => undefined
        await reconcile()
        expect((await shop.paymentOf(orderId)).state).toBe('refunded')
        expect(await charged(orderId)).toBe(0)
      },
    )

    it('are no error when they were given back at Stripe already', async () => {
      const orderId = await overpaid()
      await provider().refund(await keyOf(orderId))
      await provider().refund(await keyOf(orderId))
      await reconcile()
      expect((await shop.paymentOf(orderId)).state).toBe('refunded')
    })

    it('are refused where nothing was paid', async () => {
      const { orderId } = await rent()
      await expect(provider().refund(await keyOf(orderId))).rejects.toThrow('cannot be given back')
      await expect(provider().refund('nothing')).rejects.toThrow('cannot be given back')
    })
  })

  describe('of nothing, which save a card for a trial', () => {
    const TRIAL_END = NOON + 14 * 24 * 60 * MINUTE_MS
    async function begin(actor: Actor = scene.actor) {
      await shop.add(['trial'], undefined, actor)
      const { status, result, error } = await press({}, actor)
      if (status !== 200) throw new Error(JSON.stringify(error))
      return { orderId: result.orderId, action: result.action ?? '' }
    }
    const cardsOf = async ({ account }: Actor = scene.actor) =>
      await db().select().from(paymentMethods).where(eq(paymentMethods.accountId, account.id))
    const faults = async () =>
      (
        await checkLedger({
          ...scene.service.context,
          providers: new Map<string, PaymentProvider>([
            ['stripe', provider()],
            ['sandbox', shop.bank],
          ]),
        })
      ).faults
    /** Charges what is due at a time. */
    async function renew(time: number): Promise<void> {
      setClock(time)
      await renewSubscriptions({
        ...shop.parts,
        providers: new Map([['stripe', provider()]]),
        originOf: () => 'http://localhost',
        mail: { order: async () => {} },
      })
    }

    it('A4.8-04 open a page that takes no money, and the card is charged when the trial ends', async () => {
      const { orderId, action } = await begin()
      const session = sessionOf(action)
      expect(session).toMatchObject({ mode: 'setup', amount_total: null, locale: 'fr', status: 'open' })
      expect(session?.success_url).toBe(`http://localhost/offers/confirmation?orderId=${orderId}`)
      expect(stripe.setups.get(session?.setup_intent ?? '')).toMatchObject({
        usage: 'off_session',
        description: 'Essai',
        customer: session?.customer,
        metadata: { key: await keyOf(orderId) },
      })
      expect(await shop.status(orderId)).toBe('submitted')
      expect(stripe.pay(action)).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await shop.plays(titles.match)).toBe(0)
      expect([await charged(orderId), await shop.movements(orderId)]).toEqual([0, {}])
      expect(await cardsOf()).toMatchObject([
        { provider: 'stripe', lastDigits: '4242', lastUsedAt: NOON, expiresAt: Date.UTC(2031, 8) },
      ])
      expect(await faults()).toEqual([])
      await renew(TRIAL_END)
      const [renewal] = (await db().select().from(orders).where(eq(orders.accountId, scene.actor.account.id)))
        .filter(({ periodId }) => periodId !== null)
        .map(({ id, state }) => ({ id, state }))
      expect(renewal?.state).toBe('executed')
      expect(await charged(renewal?.id ?? 0)).toBe(400)
      expect(await faults()).toEqual([])
    })

    it('are one page, whoever presses at once', async () => {
      await shop.add(['trial'])
      const answers = await Promise.all(PRESSES.map(async () => await press()))
      expect(new Set(answers.map(({ status, result }) => `${status} ${result?.action}`)).size).toBe(1)
    })

    it('stay open after a declined card', async () => {
      const { orderId, action } = await begin()
      expect(stripe.pay(action, 'declined')).toBe(false)
      expect([await shop.status(orderId), await cardsOf()]).toEqual(['submitted', []])
      expect(stripe.pay(action)).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('A4.2-07 expire with their order: Stripe takes no card from then on', async () => {
      const { orderId, action } = await begin()
      setClock(NOON + 15 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('expired')
      expect(stripe.pay(action)).toBe(false)
      expect(await cardsOf()).toEqual([])
    })

    it('that were done in time begin the trial, however late that is heard', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      setClock(NOON + 60 * MINUTE_MS)
      await reconcile()
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('wait for a bank past the time of the order, and begin it or not by its answer', async () => {
      const [accepts, refuses] = [await begin(), await begin(await scene.make.actor())]
      for (const { action } of [accepts, refuses]) stripe.pay(action, 'waits')
      setClock(NOON + 20 * MINUTE_MS)
      await reconcile()
      expect([await stateOf(accepts.orderId), await stateOf(refuses.orderId)]).toEqual([
        'submitted',
        'submitted',
      ])
      stripe.answerBank(await keyOf(accepts.orderId), true)
      stripe.answerBank(await keyOf(refuses.orderId), false)
      await reconcile()
      expect([await stateOf(accepts.orderId), await stateOf(refuses.orderId)]).toEqual([
        'executed',
        'expired',
      ])
    })

    it('fail when the bank refuses the card of a page that is done', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action, 'waits')
      stripe.answerBank(await keyOf(orderId), false)
      expect(await shop.status(orderId)).toBe('failed')
      expect((await begin()).orderId).not.toBe(orderId)
    })

    it('are told of by notices, twice, in another order, and late', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      const types = stripe.notices.map((body) => JSON.parse(body).type)
      expect(types).toEqual(['setup_intent.succeeded', 'checkout.session.completed'])
      for (const body of stripe.notices)
        expect(JSON.parse(body).data.object.metadata.key).toBe(await keyOf(orderId))
      expect(await send([...stripe.notices].toReversed())).toEqual([200, 200])
      expect(await stateOf(orderId)).toBe('executed')
      setClock(NOON + 60 * MINUTE_MS)
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await cardsOf()).toHaveLength(1)
    })

    it('believe no notice: no trial begins by one of a card that was not saved', async () => {
      const { orderId, action } = await begin()
      const setup = stripe.setups.get(sessionOf(action)?.setup_intent ?? '')
      const object = { ...setup, status: 'succeeded', payment_method: 'pm_1' }
      const event = { id: 'evt', object: 'event', type: 'setup_intent.succeeded', data: { object } }
      expect(await send([JSON.stringify(event)])).toEqual([200])
      expect([await stateOf(orderId), await cardsOf()]).toEqual(['submitted', []])
    })

    it.each<[Fault]>([['silent'], ['silentAfter'], ['error'], ['errorAfter'], ['busy']])(
      'interrupted by an answer %s to the page, can be begun again',
      async (fault) => {
        await shop.add(['trial'])
        failing(/POST .*checkout/, fault)
        expect((await press()).error.code).toBe(-505)
        stripe.fault = () => undefined
        const { result } = await press()
        expect(stripe.pay(result.action ?? '')).toBe(true)
        expect(await shop.status(result.orderId)).toBe('executed')
        expect(await faults()).toEqual([])
      },
    )

    it('while Stripe is silent, the order stays open though its time is over', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      failing(/./, 'silent')
      setClock(NOON + 20 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('submitted')
      stripe.fault = () => undefined
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('need nothing of Stripe where a saved card is chosen', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId } = await begin()
      stripe.requests.length = 0
      expect((await press({ paymentMethod })).result).toMatchObject({ orderId, action: null })
      expect([await stateOf(orderId), stripe.requests]).toEqual(['executed', []])
      const other = await scene.make.actor()
      await shop.add(['trial'], undefined, other)
      expect((await press({ paymentMethod }, other)).error.code).toBe(-2109)
    })

    it('have no money in the books of Stripe, and nothing to give back', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      await shop.status(orderId)
      const key = await keyOf(orderId)
      expect(await provider().bookOf(key)).toEqual({ received: 0, refunded: 0 })
      await expect(provider().refund(key)).rejects.toThrow('cannot be given back')
      // Nor where its order is over.
      await db().update(orders).set({ state: 'expired' }).where(eq(orders.id, orderId))
      await reconcile()
      expect((await shop.paymentOf(orderId)).state).toBe('succeeded')
      expect(stripe.requests).not.toContain('POST /v1/refunds')
      await db().update(orders).set({ state: 'executed' }).where(eq(orders.id, orderId))
    })

    it('leave no card of an account that was deleted meanwhile', async () => {
      const leaves = await scene.make.actor()
      const { orderId, action } = await begin(leaves)
      const customer = sessionOf(action)?.customer ?? ''
      expect((await scene.service.call(anonymizeMe, {}, leaves.tokens)).status).toBe(200)
      expect(await provider().forgetCustomers()).toBe(0)
      stripe.pay(action)
      await reconcile()
      expect([await stateOf(orderId), await cardsOf(leaves)]).toEqual(['failed', []])
      expect(await provider().forgetCustomers()).toBe(1)
      expect(stripe.customers.has(customer)).toBe(false)
    })
  })

  describe('notices', () => {
    async function paid(): Promise<number> {
      const { orderId, action } = await rent()
      stripe.pay(action)
      expect(await stateOf(orderId)).toBe('submitted')
      return orderId
    }

    it('execute the order, though nobody looks at it', async () => {
      const orderId = await paid()
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('come twice, in another order and late, and sell once', async () => {
      const orderId = await paid()
      await send([...stripe.notices].toReversed())
      await send(stripe.notices)
      setClock(NOON + 60 * MINUTE_MS)
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await shop.movements(orderId)).toEqual(PAID)
      expect(await charged(orderId)).toBe(399)
    })

    it('claim nothing: an order is not executed by a notice of a payment that was not made', async () => {
      const { orderId } = await rent()
      const object = {
        object: 'payment_intent',
        status: 'succeeded',
        metadata: { key: await keyOf(orderId) },
      }
      const body = JSON.stringify({
        id: 'evt',
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object },
      })
      expect(await send([body])).toEqual([200])
      expect(await stateOf(orderId)).toBe('submitted')
    })

    it('of other things that are sold with the same account of Stripe are received, and mean nothing', async () => {
      const others = [{ metadata: { key: 'elsewhere' } }, { metadata: {} }, { metadata: null }, {}]
      const bodies = others.map((object) =>
        JSON.stringify({ id: 'evt', object: 'event', type: 'charge.succeeded', data: { object } }),
      )
      expect(await send(bodies)).toEqual([200, 200, 200, 200])
    })

    it('are not believed with another signature, none, another body, or after five minutes', async () => {
      const orderId = await paid()
      const [body = ''] = stripe.notices
      const signature = signStripeNotice(body, NOON)
      const all: [string, Record<string, string>][] = [
        [body, { 'stripe-signature': signStripeNotice(body, NOON, 'whsec_guessed') }],
        [body, {}],
        [body, { 'stripe-signature': '' }],
        [body, { 'stripe-signature': 't=,v1=' }],
        [body, { 'stripe-signature': signature.slice(0, -1) }],
        [body, { 'stripe-signature': signature.replace('v1=', 'v0=') }],
        [body.replace('checkout', 'Checkout'), { 'stripe-signature': signature }],
        ['', { 'stripe-signature': signature }],
        [body, { 'stripe-signature': signStripeNotice(body, NOON - 5 * MINUTE_MS - 1000) }],
      ]
      for (const [payload, headers] of all) expect((await notify(payload, headers)).statusCode).toBe(403)
      expect(await stateOf(orderId)).toBe('submitted')
    })

    it('come again when Stripe does not answer the service meanwhile', async () => {
      const orderId = await paid()
      failing(/^GET/, 'silent')
      const [status = 0] = await send(stripe.notices.slice(0, 1))
      expect(status).toBeGreaterThanOrEqual(500)
      stripe.fault = () => undefined
      await send(stripe.notices)
      expect(await stateOf(orderId)).toBe('executed')
    })
  })

  describe('the billing dashboard', () => {
    const dashboard = async (brandBillingProviderId?: number, actor: Actor = scene.actor) =>
      await scene.service.call(
        getBillingDashboardAccess,
        brandBillingProviderId === undefined ? {} : { brandBillingProviderId },
        actor.tokens,
      )

    it('A7.2-01 is the page of the account at the provider', async () => {
      await saveCard('good')
      const { action } = await rent()
      const { result } = await dashboard(6)
      expect(result.dashboardUrl).toBe(`https://billing.stripe.test/${sessionOf(action)?.customer}`)
      const other = await dashboard(6, await scene.make.actor())
      expect(other.result.dashboardUrl).not.toBe(result.dashboardUrl)
    })

    it('A7.2-01 is not there for the default provider, which has none, nor for one that is unknown', async () => {
      expect((await dashboard()).error).toMatchObject({ code: -404 })
      expect((await dashboard(7)).error).toMatchObject({ code: -404 })
      expect((await dashboard(0)).status).toBe(400)
      expect((await dashboard(Number.NaN)).status).toBe(400)
    })

    it('A7.2-01 is refused to visitors, and while Stripe is silent', async () => {
      const visitor = await scene.service.call(getBillingDashboardAccess, { brandBillingProviderId: 6 }, {})
      expect(visitor.status).toBe(401)
      failing(/./, 'silent')
      expect((await dashboard(6)).error.code).toBe(-505)
    })
  })

  describe('the customer of an account that was deleted', () => {
    const remove = async (actor: Actor) =>
      expect((await scene.service.call(anonymizeMe, {}, actor.tokens)).status).toBe(200)
    const customerOf = (actor: Actor) =>
      [...stripe.customers.values()].find(({ metadata }) => metadata.account === String(actor.account.id))

    it('is deleted at Stripe with its cards, and no other one', async () => {
      const leaves = await scene.make.actor()
      await saveCard('good')
      await saveCard('good', leaves)
      expect(await provider().forgetCustomers()).toBe(0)
      const customer = customerOf(leaves)
      await remove(leaves)
      expect(await provider().forgetCustomers()).toBe(1)
      expect(customerOf(leaves)).toBeUndefined()
      expect([...stripe.methods.values()].some((method) => method.customer === customer?.id)).toBe(false)
      expect(customerOf(scene.actor)).toBeDefined()
      expect(await provider().forgetCustomers()).toBe(0)
    })

    it('is deleted later where Stripe does not answer, and is no error when it is gone already', async () => {
      const leaves = await scene.make.actor()
      await saveCard('good', leaves)
      await remove(leaves)
      failing(/^DELETE/, 'silent')
      await expect(provider().forgetCustomers()).rejects.toThrow('Stripe does not answer.')
      failing(/^DELETE/, 'silentAfter')
      await expect(provider().forgetCustomers()).rejects.toThrow('Stripe does not answer.')
      expect(customerOf(leaves)).toBeUndefined()
      stripe.fault = () => undefined
      expect(await provider().forgetCustomers()).toBe(1)
    })

    it('is deleted a day after a page that was left', async () => {
      const leaves = await scene.make.actor()
      await shop.add(['trial'], undefined, leaves)
      expect((await press({}, leaves)).result.action).not.toBeNull()
      await remove(leaves)
      setClock(NOON + 15 * MINUTE_MS)
      await reconcile()
      expect(await provider().forgetCustomers()).toBe(0)
      setClock(NOON + 24 * 60 * MINUTE_MS + 15 * MINUTE_MS)
      expect(await provider().forgetCustomers()).toBe(1)
      expect(customerOf(leaves)).toBeUndefined()
    })

    it('stays until money that came too late was given back', async () => {
      const leaves = await scene.make.actor()
      await shop.add(['cinema-monthly'], undefined, leaves)
      const { result } = await press({}, leaves)
      await remove(leaves)
      expect(await provider().forgetCustomers()).toBe(0)
      expect(stripe.pay(result.action ?? '', 'good')).toBe(true)
      await reconcile()
      expect(await charged(result.orderId)).toBe(0)
      expect(await provider().forgetCustomers()).toBe(1)
    })
  })
})
