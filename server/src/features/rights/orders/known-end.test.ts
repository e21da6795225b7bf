import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { checkoutScene, DAY_MS } from '../../../../test/checkout-scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { addGrant } from '../entitlements/grants.service.ts'
import { knownEndOf } from './known-end.service.ts'

describe.each(MAIN_DB)('the known end of a right, on a database of kind %s', (kind) => {
  const { scene, cancel, subscriptionOf, buy } = checkoutScene(kind)

  /** The packages of the actor. */
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
