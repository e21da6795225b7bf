import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../../test/fake-stripe.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'
import { orders } from '../orders/orders.table.ts'
import { openStripe } from './open-stripe.ts'

const MINUTE_MS = 60_000
const GIVEN_BACK = { payment: { provider: 399, customers: -399 }, refund: { customers: 399, provider: -399 } }

describe.each(MAIN_DB)('interrupted Stripe payments, on a database of kind %s', (kind) => {
  const {
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
    intentOf,
    press,
    rent,
    saveCard,
    failing,
  } = stripePayments(kind)

  describe('interrupted', () => {
    it.each<[Fault]>([['silent'], ['silentAfter'], ['error'], ['errorAfter'], ['busy']])(
      'by an answer %s to the page, can be started again and are paid once',
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

    it.each<[Fault]>([['silent'], ['silentAfter'], ['error'], ['errorAfter'], ['busy']])(
      'by an answer %s to the creation of the customer, can be started again and are paid once',
      async (fault) => {
        await shop.add(['rental'], titles.encre)
        failing(/customers$/, fault)
        expect((await press()).error.code).toBe(-505)
        stripe.fault = () => undefined
        const { result } = await press()
        expect(stripe.pay(result.action ?? '')).toBe(true)
        expect(await shop.status(result.orderId)).toBe('executed')
        expect(await charged(result.orderId)).toBe(399)
        const { orderId, action } = await rent({}, scene.actor, titles.sel)
        expect(stripe.pay(action)).toBe(true)
        expect(await shop.status(orderId)).toBe('executed')
        const paidBy = [await intentOf(result.orderId), await intentOf(orderId)]
        expect(new Set(paidBy.map((intent) => intent?.customer)).size).toBe(1)
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

    it('between the charge that requires the customer and its page, the order continues', async () => {
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

    it('between closing the page and the charge, the order continues with either', async () => {
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

    it('while Stripe does not answer, the order stays open past its time', async () => {
      const { orderId, action } = await rent()
      stripe.pay(action)
      failing(/./, 'silent')
      setClock(NOON + 20 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('submitted')
      stripe.fault = () => undefined
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('by a wrong key, the service names the wrong setting', async () => {
      const { orderId } = await rent()
      const wrong = openStripe({
        ...scene.service.context,
        settings: { ...scene.service.context.settings, STRIPE_SECRET_KEY: 'sk_test_wrong' },
      })
      await expect(wrong?.query(await keyOf(orderId))).rejects.toThrow('Stripe refuses STRIPE_SECRET_KEY.')
      expect(await stateOf(orderId)).toBe('submitted')
    })
  })

  describe('refunds', () => {
    /**
     * Makes an order that is paid at Stripe but expired here, so that its payment must be refunded.
     *
     * @returns the order's id
     */
    async function overpaid(): Promise<number> {
      const { orderId, action } = await rent()
      stripe.pay(action)
      const key = await keyOf(orderId)
      await db().update(orders).set({ state: 'expired' }).where(eq(orders.id, orderId))
      expect(stripe.charged(key)).toBe(399)
      return orderId
    }

    it('are made when money arrives for an order that is over', async () => {
      const orderId = await overpaid()
      await reconcile()
      expect((await shop.paymentOf(orderId)).state).toBe('refunded')
      expect(await provider().bookOf(await keyOf(orderId))).toEqual({
        received: 399,
        refunded: 399,
        isTakenBack: false,
      })
      expect(await charged(orderId)).toBe(0)
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
    })

    it.each<[Fault]>([['silentAfter'], ['error'], ['errorAfter'], ['busy'], ['silent']])(
      'are made once, after an answer %s',
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

    it('cause no error if they were already made at Stripe', async () => {
      const orderId = await overpaid()
      await provider().refund(await keyOf(orderId))
      await provider().refund(await keyOf(orderId))
      await reconcile()
      expect((await shop.paymentOf(orderId)).state).toBe('refunded')
    })

    it('are refused if nothing was paid', async () => {
      const { orderId } = await rent()
      await expect(provider().refund(await keyOf(orderId))).rejects.toThrow('cannot be refunded')
      await expect(provider().refund('nothing')).rejects.toThrow('cannot be refunded')
    })
  })
})
