import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkoutScene, DAY_MS } from '../../../../test/checkout-scene.ts'
import { PLANS, planChangeScene } from '../../../../test/plan-change-scene.ts'
import { SOLD } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { grants, packages } from '../entitlements/entitlements.table.ts'
import { addGrant } from '../entitlements/grants.service.ts'
import { knownEndOf } from './known-end.service.ts'

/** End of the first month of a subscription that is bought at noon of 15 January. */
const MONTH_1 = Date.UTC(2026, 1, 15, 12)

/** Allows downloads in all subscriptions of an offer file. */
const withDownloads = (file: string) => file.replaceAll('every: ', 'downloads: true, every: ')

describe.each(MAIN_DB)('the known end of a right, on a database of kind %s', (kind) => {
  const { scene, shop, cancel, subscriptionOf, buy } = checkoutScene(kind)
  beforeAll(async () => await shop.sell(withDownloads(SOLD)))

  /** Returns the ids of the packages that the actor has. */
  async function packageIds(): Promise<number[]> {
    const { db } = scene.service.context
    const rows = await db.select().from(grants).where(eq(grants.accountId, scene.actor.account.id))
    return rows.flatMap(({ packageId }) => packageId ?? [])
  }

  const end = async () => {
    const { context } = scene.service
    return await knownEndOf(context.db, scene.actor.account.id, await packageIds(), NOON)
  }

  it('spec 34 a subscription that renews has none, and a cancelled one ends with its paid period', async () => {
    await buy(['cinema-monthly'])
    expect(await end()).toBeUndefined()
    await cancel()
    expect(await end()).toBe((await subscriptionOf())?.periodEnd)
  })

  it('of several rights, the last end counts, and a right without an end has none', async () => {
    await buy(['cinema-monthly'])
    await cancel()
    const [packageId = 0] = await packageIds()
    const right = { accountId: scene.actor.account.id, opens: { packageId }, source: 'operator' as const }
    const later = NOON + 90 * DAY_MS
    await addGrant(scene.service.context.db, { ...right, sourceId: 'later', from: NOON, to: later })
    expect(await end()).toBe(later)
    await addGrant(scene.service.context.db, { ...right, sourceId: 'open', from: NOON, to: null })
    expect(await end()).toBeUndefined()
  })

  it('content that is in no package of the account has none', async () => {
    const { context } = scene.service
    expect(await knownEndOf(context.db, scene.actor.account.id, [], NOON)).toBeUndefined()
  })
})

describe.each(MAIN_DB)('the known end of a right that changes, on a database of kind %s', (kind) => {
  const { scene, shop, subscribe, change, undo, cancel } = planChangeScene(kind)
  beforeAll(async () => await shop.sell(withDownloads(PLANS)))

  /** The known end of the right to the content of one package. */
  async function end(key: string): Promise<number | undefined> {
    const { db } = scene.service.context
    const found = await db.select({ id: packages.id }).from(packages).where(eq(packages.key, key))
    expect(found).toHaveLength(1)
    return await knownEndOf(
      db,
      scene.actor.account.id,
      found.map(({ id }) => id),
      NOON,
    )
  }

  it('spec 34 a change to a plan without the package ends the right with the period, until it is undone', async () => {
    const id = await subscribe(['middle'])
    expect(await end('sport')).toBeUndefined()
    await change(id, 'small')
    expect(await end('sport')).toBe(MONTH_1)
    expect(await end('cinema')).toBeUndefined()
    await undo(id)
    expect(await end('sport')).toBeUndefined()
  })

  it('spec 34 an option ends with the plan that it requires', async () => {
    const id = await subscribe(['small', 'option'])
    expect(await end('sport')).toBeUndefined()
    await change(id, 'setup')
    expect(await end('sport')).toBe(MONTH_1)
  })

  it('spec 34 an option renews while a cancelled plan lasts longer', async () => {
    const id = await subscribe(['small-yearly', 'option'])
    await cancel(id)
    expect(await end('cinema')).toBe(Date.UTC(2027, 0, 15, 12))
    expect(await end('sport')).toBeUndefined()
  })
})
