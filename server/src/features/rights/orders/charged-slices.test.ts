import { cancelSubscription, listSubscriptions } from '@ondine/contract/subscriptions'
import { eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { soldTitles } from '../../../../test/sold-titles.ts'
import { orders } from './orders.table.ts'
import { renewSubscriptions } from './renewals.service.ts'

/** End of the first month of a subscription that is bought at noon of 15 January. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)
/** Number of concurrent card charges in a slice. */
const LANES = 4

describe.each(MAIN_DB)('a slice of renewals, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  soldTitles(scene)
  beforeAll(async () => await shop.sell())

  const subscribe = async (actor: Actor) => {
    const { orderId, action } = await shop.order(['cinema-monthly'], undefined, actor)
    await shop.pay(action)
    expect(await shop.status(orderId, actor)).toBe('executed')
  }
  const renewalOf = async ({ account }: Actor) => {
    const { db } = scene.service.context
    const all = await db.select().from(orders).where(eq(orders.accountId, account.id))
    return all.find(({ periodId }) => periodId !== null)
  }

  it('charges no card after its customer has cancelled', async () => {
    const actors = await Promise.all(
      Array.from({ length: LANES + 2 }, async () => await scene.make.actor({ tokenDays: 400 })),
    )
    for (const actor of actors) await subscribe(actor)
    const { bank } = shop
    const charge = bank.charge.bind(bank)
    const asked: string[] = []
    const cancelled = Promise.withResolvers<void>()
    bank.charge = async (request, reference) => {
      asked.push(request.key)
      await cancelled.promise
      return await charge(request, reference)
    }
    scene.service.clock.set(MONTH_1)
    const renewing = renewSubscriptions({
      ...shop.parts,
      providers: new Map([['sandbox', bank]]),
      originOf: () => 'http://localhost',
      mail: { order: async () => {} },
    })
    await expect.poll(() => asked.length).toBe(LANES)
    const leavers: Actor[] = []
    let waiting = 0
    for (const actor of actors) {
      const order = await renewalOf(actor)
      if (order !== undefined && asked.includes((await shop.paymentOf(order.id)).key)) continue
      leavers.push(actor)
      if (order !== undefined) waiting += 1
    }
    expect(leavers).toHaveLength(actors.length - LANES)
    // Some of the customers who cancel below already have an order in this slice that is not charged yet.
    expect(waiting).toBeGreaterThan(0)
    for (const { tokens } of leavers) {
      const [plan] = (await scene.service.call(listSubscriptions, {}, tokens)).result
      const { status } = await scene.service.call(
        cancelSubscription,
        { subscriptionId: plan?.id ?? 0 },
        tokens,
      )
      expect(status).toBe(200)
    }
    cancelled.resolve()
    await renewing
    expect(asked).toHaveLength(LANES)
    const { db } = scene.service.context
    const ids = actors.map(({ account }) => account.id)
    const renewals = (await db.select().from(orders).where(inArray(orders.accountId, ids))).filter(
      ({ periodId }) => periodId !== null,
    )
    expect(renewals.filter(({ state }) => state === 'executed')).toHaveLength(LANES)
  })
})
