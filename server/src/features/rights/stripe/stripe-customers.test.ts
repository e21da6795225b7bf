import { anonymizeMe } from '@ondine/contract/account-calls'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'

const MINUTE_MS = 60_000

describe.each(MAIN_DB)('customers at Stripe, on a database of kind %s', (kind) => {
  const { stripe, scene, shop, setClock, provider, reconcile, charged, press, saveCard, failing } =
    stripePayments(kind)

  describe('the customer of a deleted account', () => {
    const remove = async (actor: Actor) =>
      expect((await scene.service.call(anonymizeMe, {}, actor.tokens)).status).toBe(200)
    const customerOf = (actor: Actor) =>
      [...stripe.customers.values()].find(({ metadata }) => metadata.account === String(actor.account.id))

    it('is deleted at Stripe with its cards, and no other one is', async () => {
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

    it('is deleted later if Stripe does not answer, and without an error if it is gone already', async () => {
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

    it('is deleted a day after an abandoned page', async () => {
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

    it('remains until a late payment was refunded', async () => {
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
