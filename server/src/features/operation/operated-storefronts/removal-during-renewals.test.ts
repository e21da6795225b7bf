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
   * Makes two closed accounts of a storefront with periods that are due. A renewal meets such accounts if they are
   * closed after it has claimed their periods.
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

  /**
   * Waits until `count` statements wait for a lock, each for longer than the time after which PostgreSQL looks for
   * a deadlock.
   */
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

  // Several pairs are tried. PostgreSQL chooses the order in which a statement locks rows, so the renewal and the
  // removal locked only some pairs in opposite orders.
  it.each(['one', 'two', 'three', 'four'])(
    'succeeds, and so does the renewal, when both lock the same accounts (pair %s)',
    async (name) => {
      const { tokens: operator } = await scene.make.operator()
      const [first, second] = await leavers(name)
      const remove = async () =>
        (await scene.service.call(removeStorefront, { apiKey: name, accounts: 0 }, operator)).status
      const charge = async () => await chargePeriods(jobParts())
      if (kind === 'embedded') {
        // The embedded database has one connection, so one of the two waits for the other.
        const [status] = await Promise.all([remove(), charge()])
        expect(status).toBe(200)
      } else {
        // The promises are in an object, because the transaction would wait for a returned promise.
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
      // Closed accounts are charged nothing.
      expect([await renewals(first), await renewals(second)]).toEqual([[], []])
    },
  )
})
