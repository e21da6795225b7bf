import { listPaymentMethods } from '@ondine/contract/orders'
import { cancelSubscription } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { orders, subscriptions } from '../src/features/rights/orders/orders.table.ts'
import { CARDS, Purchases } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind } from './service.ts'
import { soldTitles } from './sold-titles.ts'

export const DAY_MS = 86_400_000
/** How long an order waits for its payment, in milliseconds. */
export const QUARTER_MS = 15 * 60_000

/**
 * Creates a service that sells offers, for the tests of a `describe` block. Also returns functions for its carts
 * and payments.
 */
export function checkoutScene(kind: DatabaseKind) {
  const scene = testScene(kind, {
    actor: { tokenDays: 400 },
    settings: { SANDBOX_PAYMENTS: true, APP_ORIGINS: ['capacitor://localhost'] },
  })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())

  const { at } = scene
  const ordersOf = async (accountId = scene.actor.account.id) =>
    await scene.service.context.db.select().from(orders).where(eq(orders.accountId, accountId))
  /** Cancels the subscription of the scene's actor. */
  const cancel = async () => {
    const subscriptionId = (await subscriptionOf())?.id ?? 0
    await scene.service.call(cancelSubscription, { subscriptionId }, scene.actor.tokens)
  }
  const subscriptionOf = async (accountId = scene.actor.account.id) => {
    const { db } = scene.service.context
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId))
    return row
  }
  const methods = async () => (await scene.service.call(listPaymentMethods, {}, scene.actor.tokens)).result
  /** Makes a purchase, after which the account has a saved card. */
  async function buy(keys: string[], card: string = CARDS.good, contentId?: number): Promise<number> {
    return await shop.buy(keys, { card, contentId })
  }

  return { scene, shop, titles, at, ordersOf, cancel, subscriptionOf, methods, buy }
}
