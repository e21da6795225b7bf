import { listPaymentMethods } from '@ondine/contract/orders'
import { listSubscriptions, payRenewal } from '@ondine/contract/subscriptions'
import { describe, expect, it } from 'vitest'
import { RETURN } from '../../../../test/purchases.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'
import { renewSubscriptions } from '../orders/renewals.service.ts'

/** End of the first month of a subscription bought at noon on 15 January. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)

describe.each(MAIN_DB)('renewals at Stripe, on a database of kind %s', (kind) => {
  const { stripe, scene, shop, setClock, provider, stateOf, saveCard, send } = stripePayments(kind)

  const letters: string[] = []
  /** Runs the renewals that are due at `time`. */
  async function renew(time: number): Promise<void> {
    setClock(time)
    letters.length = 0
    await renewSubscriptions({
      ...shop.parts,
      providers: new Map([['stripe', provider()]]),
      originOf: () => 'http://localhost',
      mail: { order: async (letter) => void letters.push(letter.letter) },
    })
  }
  async function payNow(brandBillingProviderId: number) {
    const [subscription] = (await scene.service.call(listSubscriptions, {}, scene.actor.tokens)).result
    return await scene.service.call(
      payRenewal,
      {
        subscriptionId: subscription?.id ?? 0,
        returnUrl: RETURN,
        paymentData: JSON.stringify({ brandBillingProviderId }),
      },
      scene.actor.tokens,
    )
  }

  it.each([5, 6])(
    'that their bank wants confirmed are paid at Stripe, when a new card at provider %i is asked for',
    async (brandBillingProviderId) => {
      await saveCard('confirmedLater')
      await renew(MONTH_1)
      const page = [...stripe.sessions.values()].at(-1)
      expect(page?.status).toBe('open')
      const { result } = await payNow(brandBillingProviderId)
      expect(result.action).toBe(page?.url)
      expect(stripe.pay(result.action ?? '')).toBe(true)
      expect(await shop.status(result.orderId)).toBe('executed')
    },
  )

  describe('after changes in the customer portal', () => {
    const cards = async () =>
      (await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)).result.flatMap(
        ({ paymentProvider, label }) => (paymentProvider === 'stripe' && label !== null ? [label] : []),
      )
    const cardOf = async () => {
      await saveCard('good')
      const [id = ''] = [...stripe.methods.keys()].slice(-1)
      return { id, customer: [...stripe.sessions.values()].at(-1)?.customer ?? '' }
    }

    it('A7.2-01 charge the card that replaced the removed card', async () => {
      const { id, customer } = await cardOf()
      stripe.addCard(customer, 'other')
      stripe.removeCard(id)
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await cards()).toEqual(['•••• 4444'])
      expect((await shop.onlySubscription()).method?.label).toBe('•••• 4444')
      await renew(MONTH_1)
      expect((await shop.onlySubscription()).next.step).toBe('renews')
      expect([...stripe.intents.values()].at(-1)).toMatchObject({ status: 'succeeded', customer })
      stripe.notices.length = 0
    })

    it('take over a card that is added while the cards are read', async () => {
      const { id, customer } = await cardOf()
      stripe.changeExpiry(id, { exp_month: 3, exp_year: 2033 })
      let reads = 0
      stripe.fault = (request) => {
        if (request === 'GET /v1/payment_methods' && ++reads === 2) stripe.addCard(customer, 'other')
        return undefined
      }
      try {
        expect(await send(stripe.notices.slice(0, 1))).toEqual([200])
      } finally {
        stripe.fault = () => undefined
        stripe.notices.length = 0
      }
      expect((await cards()).toSorted()).toEqual(['•••• 4242', '•••• 4444'])
    })

    it('stop reading cards that change at each read, and are told again', async () => {
      const { id, customer } = await cardOf()
      stripe.changeExpiry(id, { exp_month: 3, exp_year: 2033 })
      let reads = 0
      stripe.fault = (request) => {
        // The last card is added only to end the test of a service that never stops.
        if (request === 'GET /v1/payment_methods' && ++reads < 12) stripe.addCard(customer, 'other')
        return undefined
      }
      const [notice = ''] = stripe.notices
      try {
        expect(await send([notice])).toEqual([500])
      } finally {
        stripe.fault = () => undefined
        stripe.notices.length = 0
      }
      expect(await send([notice])).toEqual([200])
      const own = [...stripe.methods.values()].filter((method) => method.customer === customer)
      expect(await cards()).toHaveLength(own.length)
    })

    it('charge the card that paid before an older card that was unknown here', async () => {
      const { id, customer } = await cardOf()
      const older = stripe.methods.get(stripe.addCard(customer, 'other'))
      if (older) older.created -= 3600
      expect(await send(stripe.notices)).toEqual([200])
      stripe.notices.length = 0
      expect(await cards()).toEqual(['•••• 4242', '•••• 4444'])
      expect(stripe.methods.has(id)).toBe(true)
    })

    it('count as declined when no card is left, and can be paid with a new card', async () => {
      const { id } = await cardOf()
      stripe.removeCard(id)
      // The notice may come twice.
      expect(await send([...stripe.notices, ...stripe.notices])).toEqual([200, 200])
      expect(await cards()).toEqual([])
      await renew(MONTH_1)
      expect((await shop.onlySubscription()).next.step).toBe('retries')
      expect(letters).toEqual(['paymentWithoutCard'])
      const { result } = await payNow(6)
      expect(stripe.pay(result.action ?? '')).toBe(true)
      expect(await shop.status(result.orderId)).toBe('executed')
      expect(await cards()).toEqual(['•••• 4242'])
    })

    it('show the new expiry of a card, and ignore customers of other services', async () => {
      const { id } = await cardOf()
      stripe.changeExpiry(id, { exp_month: 2, exp_year: 2033 })
      const object = { object: 'payment_method', customer: 'cus_elsewhere' }
      const other = { id: 'evt', object: 'event', type: 'payment_method.updated', data: { object } }
      expect(await send([...stripe.notices, JSON.stringify(other)])).toEqual([200, 200])
      expect((await shop.onlySubscription()).method?.expiresAt).toBe(Date.UTC(2033, 2) / 1000)
    })
  })

  it('that were declined are paid on a page of Stripe', async () => {
    await saveCard('declinedLater')
    await renew(MONTH_1)
    const { result } = await payNow(6)
    expect(stripe.pay(result.action ?? '')).toBe(true)
    expect(await stateOf(result.orderId)).toBe('submitted')
    expect(await shop.status(result.orderId)).toBe('executed')
  })
})
