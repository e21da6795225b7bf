import { removeStorefront } from '@ondine/contract/storefront-calls'
import { eq, inArray, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../test/purchases.ts'
import { MONTH_1, renewalScene } from '../../../../test/renewal-scene.ts'
import { DATABASES, NOON } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { openPeriods } from '../../rights/orders/open-periods.ts'
import { chargePeriods } from '../../rights/orders/renewals.ts'

describe.each(DATABASES)('a removal while subscriptions renew, on a database of kind %s', (kind) => {
  const { scene, db, at, jobParts, renewals, subscribe } = renewalScene(kind)

  /**
   * Makes two closed accounts with due periods. A renewal gets such accounts if they are closed after the renewal
   * has claimed their periods.
   */
  async function leavers(apiKey: string) {
    at(NOON)
    const { id: storefrontId } = await scene.service.context.storefronts.create({ apiKey, name: 'Leaving' })
    const both = [
      await scene.make.actor({ tokenDays: 800 }),
      await scene.make.actor({ tokenDays: 800 }),
    ] as const
    for (const one of both) await subscribe(['cinema-monthly'], CARDS.good, one)
    at(MONTH_1)
    await openPeriods(db(), MONTH_1)
    const ids = both.map(({ account }) => account.id)
    await db().update(accounts).set({ status: 'ARCHIVED', storefrontId }).where(inArray(accounts.id, ids))
    return both
  }

  /** Waits until `count` statements have been waiting for locks for longer than PostgreSQL's deadlock timeout. */
  const untilWaiting = async (count: number) =>
    await expect
      .poll(
        async () =>
          await rowsOf(
            db(),
            sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and clock_timestamp() - query_start > current_setting('deadlock_timeout')::interval`,
          ),
      )
      .toHaveLength(count)

  // Tries several pairs. PostgreSQL chooses the order of row locks in a statement, so only some pairs are locked
  // in opposite orders.
  it.each(['one', 'two', 'three', 'four'])(
    'succeeds, and so does the renewal, when both lock the same accounts (pair %s)',
    async (name) => {
      const { tokens: operator } = await scene.make.operator()
      const [first, second] = await leavers(name)
      const remove = async () =>
        (await scene.service.call(removeStorefront, { apiKey: name, accounts: 0 }, operator)).status
      const charge = async () => await chargePeriods(jobParts())
      if (kind === 'embedded') {
        // The embedded database has one connection, so the removal and the renewal cannot overlap.
        const [status] = await Promise.all([remove(), charge()])
        expect(status).toBe(200)
      } else {
        // Wrapped in an object, because the transaction would wait for a promise that is returned directly.
        const { removing, charging } = await db().transaction(async (tx) => {
          await tx.select().from(accounts).where(eq(accounts.id, second.account.id)).for('update')
          const begun = { removing: remove() }
          await untilWaiting(1)
          const both = { ...begun, charging: charge() }
          await untilWaiting(2)
          return both
        })
        expect(await removing).toBe(200)
        await charging
      }
      // A renewal must not charge closed accounts.
      expect([await renewals(first), await renewals(second)]).toEqual([[], []])
    },
  )
})
