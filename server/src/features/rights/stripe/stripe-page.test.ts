import { describe, expect, it } from 'vitest'
import { signStripeNotice } from '../../../../test/fake-stripe.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'

const MINUTE_MS = 60_000
const PRESSES = Array.from({ length: 20 }, (_, index) => index)
const PAID = { payment: { provider: 399, customers: -399 }, sale: { customers: 399, sales: -332, vat: -67 } }

describe.each(MAIN_DB)('payments on Stripe’s page, on a database of kind %s', (kind) => {
  const {
    stripe,
    scene,
    shop,
    titles,
    setClock,
    reconcile,
    stateOf,
    keyOf,
    charged,
    sessionOf,
    press,
    rent,
    notify,
    send,
    failing,
  } = stripePayments(kind)

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

    it('use one page and one customer for concurrent presses', async () => {
      await shop.add(['rental'], titles.encre)
      const before = stripe.customers.size
      const answers = await Promise.all(PRESSES.map(async () => await press()))
      expect(new Set(answers.map(({ status, result }) => `${status} ${result?.action}`)).size).toBe(1)
      expect(stripe.customers.size).toBe(before + 1)
    })

    it('can be started again in the last moment', async () => {
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

    it('that were paid in time are sold, however late that is reported', async () => {
      const { orderId, action } = await rent()
      stripe.pay(action)
      setClock(NOON + 60 * MINUTE_MS)
      await reconcile()
      expect(await stateOf(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('stay open after a declined card, which can be replaced there', async () => {
      const { orderId, action } = await rent()
      expect(stripe.pay(action, 'declined')).toBe(false)
      expect(await shop.status(orderId)).toBe('submitted')
      expect(stripe.pay(action, 'good')).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await charged(orderId)).toBe(399)
    })

    it('wait for a bank past the time of the order, and are sold or fail by its answer', async () => {
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

  describe('notices', () => {
    async function paid(): Promise<number> {
      const { orderId, action } = await rent()
      stripe.pay(action)
      expect(await stateOf(orderId)).toBe('submitted')
      return orderId
    }

    it('execute the order without a visit of its page', async () => {
      const orderId = await paid()
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('that arrive twice, in another order or late sell once', async () => {
      const orderId = await paid()
      await send([...stripe.notices].toReversed())
      await send(stripe.notices)
      setClock(NOON + 60 * MINUTE_MS)
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await shop.movements(orderId)).toEqual(PAID)
      expect(await charged(orderId)).toBe(399)
    })

    it('are not trusted: no order is executed by a notice of a payment that was not made', async () => {
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

    it('of other products sold with the same Stripe account are accepted and ignored', async () => {
      const others = [{ metadata: { key: 'elsewhere' } }, { metadata: {} }, { metadata: null }, {}]
      const bodies = others.map((object) =>
        JSON.stringify({ id: 'evt', object: 'event', type: 'charge.succeeded', data: { object } }),
      )
      expect(await send(bodies)).toEqual([200, 200, 200, 200])
    })

    it('are refused with another signature, none, another body, or after five minutes', async () => {
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

    it('are sent again if Stripe does not answer the service meanwhile', async () => {
      const orderId = await paid()
      failing(/^GET/, 'silent')
      const [status = 0] = await send(stripe.notices.slice(0, 1))
      expect(status).toBeGreaterThanOrEqual(500)
      stripe.fault = () => undefined
      await send(stripe.notices)
      expect(await stateOf(orderId)).toBe('executed')
    })
  })
})
