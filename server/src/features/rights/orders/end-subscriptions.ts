import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { voidPeriod } from './period-outcomes.ts'

/** Ends all subscriptions of a deleted account. */
export async function endSubscriptions(tx: Transaction, accountId: number, now: number): Promise<void> {
  await end(tx, eq(subscriptions.accountId, accountId), now)
}

/** Ends subscriptions because the payment of their latest period was refunded. */
export async function endRefunded(tx: Transaction, ids: readonly number[], now: number): Promise<void> {
  await end(tx, inArray(subscriptions.id, [...ids]), now)
}

async function end(tx: Transaction, which: SQL, now: number): Promise<void> {
  const ended = await tx
    .update(subscriptions)
    .set({ endedAt: now, statusId: GRANT_STATUS.cancelled })
    .where(and(which, isNull(subscriptions.endedAt)))
    .returning({ id: subscriptions.id })
  await voidDue(
    tx,
    ended.map(({ id }) => id),
    now,
  )
}

/** Voids the periods of these subscriptions that wait for payment. */
export async function voidDue(tx: Transaction, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return
  const due = await tx
    .select()
    .from(subscriptionPeriods)
    .where(and(inArray(subscriptionPeriods.subscriptionId, [...ids]), eq(subscriptionPeriods.state, 'due')))
  for (const period of due) await voidPeriod(tx, period, now)
}
