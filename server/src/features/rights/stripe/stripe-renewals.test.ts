import { listSubscriptions, payRenewal } from '@ondine/contract/subscriptions'
import { describe, expect, it } from 'vitest'
import { RETURN } from '../../../../test/purchases.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'
import { renewSubscriptions } from '../orders/renewals.service.ts'

/** End of the first month of a subscription bought at noon on 15 January. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)

describe.each(MAIN_DB)('renewals at Stripe, on a database of kind %s', (kind) => {
  const { stripe, scene, shop, setClock, provider, stateOf, saveCard } = stripePayments(kind)

  /** Runs the renewals that are due at `time`. */
  async function renew(time: number): Promise<void> {
    setClock(time)
    await renewSubscriptions({
      ...shop.parts,
      providers: new Map([['stripe', provider()]]),
      originOf: () => 'http://localhost',
      mail: { order: async () => {} },
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

  it('that were declined are paid on a page of Stripe', async () => {
    await saveCard('declinedLater')
    await renew(MONTH_1)
    const { result } = await payNow(6)
    expect(stripe.pay(result.action ?? '')).toBe(true)
    expect(await stateOf(result.orderId)).toBe('submitted')
    expect(await shop.status(result.orderId)).toBe('executed')
  })
})
