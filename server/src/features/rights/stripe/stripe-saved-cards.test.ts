import { getBillingDashboardAccess, listPaymentMethods } from '@ondine/contract/orders'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'
import { requestOf } from '../payments/payments.service.ts'
import { paymentMethods } from '../payments/payments.table.ts'

const PRESSES = Array.from({ length: 20 }, (_, index) => index)
const PAID = { payment: { provider: 399, customers: -399 }, sale: { customers: 399, sales: -332, vat: -67 } }

describe.each(MAIN_DB)('payments by cards saved at Stripe, on a database of kind %s', (kind) => {
  const {
    stripe,
    scene,
    shop,
    titles,
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
    holdNext,
    failing,
  } = stripePayments(kind)

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

    it('charge it once for concurrent presses', async () => {
      const paymentMethod = await saveCard('good')
      await shop.add(['rental'], titles.encre)
      const answers = await Promise.all(PRESSES.map(async () => await press({ paymentMethod })))
      expect(answers.every(({ status, error }) => status === 200 || error.code === -500)).toBe(true)
      const orderId = answers.find(({ status }) => status === 200)?.result.orderId ?? 0
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
      expect(stripe.intentsOf(await keyOf(orderId))).toHaveLength(1)
    })

    it('fail when it is declined, and cannot be charged for that order again', async () => {
      const paymentMethod = await saveCard('declinedLater')
      const { orderId } = await rent({ paymentMethod })
      expect(await stateOf(orderId)).toBe('failed')
      expect((await intentOf(orderId))?.status).toBe('canceled')
      const again = await rent()
      expect(again.orderId).not.toBe(orderId)
      // A concurrent request to pay that began before the order failed must not get a payment page. Otherwise the
      // customer could still pay the failed order.
      const request = requestOf(await shop.paymentOf(orderId), 'http://localhost')
      expect(await provider().start(request)).toEqual({ state: 'failed' })
      expect(await provider().query(request.key)).toEqual({ state: 'failed' })
    })

    it('continue on a page when its bank requires the customer, the same page each time', async () => {
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

    it('continue on the page that another press has not created yet', async () => {
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

    it('first close the page that the customer may still have open', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId, action } = await rent()
      expect((await press({ paymentMethod })).result.orderId).toBe(orderId)
      expect(await stateOf(orderId)).toBe('executed')
      expect(stripe.pay(action)).toBe(false)
      expect(await charged(orderId)).toBe(399)
    })

    it('charge nothing if the page was paid meanwhile', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId, action } = await rent()
      stripe.pay(action, 'other')
      expect((await press({ paymentMethod })).result).toMatchObject({ orderId, action: null })
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('charge once if page and card are pressed at once', async () => {
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
      // Stripe rejects the card of another customer, even if the stored row says that the card belongs to this
      // account.
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

    it('A7.2-01 does not exist for the default provider, which has none, nor for an unknown one', async () => {
      expect((await dashboard()).error).toMatchObject({ code: -404 })
      expect((await dashboard(7)).error).toMatchObject({ code: -404 })
      expect((await dashboard(0)).status).toBe(400)
      expect((await dashboard(Number.NaN)).status).toBe(400)
    })

    it('A7.2-01 is refused to visitors, and while Stripe does not answer', async () => {
      const visitor = await scene.service.call(getBillingDashboardAccess, { brandBillingProviderId: 6 }, {})
      expect(visitor.status).toBe(401)
      failing(/./, 'silent')
      expect((await dashboard(6)).error.code).toBe(-505)
    })
  })
})
