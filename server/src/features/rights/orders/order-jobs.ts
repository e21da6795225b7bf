import { sql } from 'drizzle-orm'
import { rowsOf } from '../../../database/rows.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { orders } from './orders.table.ts'
import { type SettleParts, settleOrder } from './settlement.service.ts'

const RECONCILE = 'orders-reconcile'

/** Number of orders that one query reads. */
const SLICE = 100

/**
 * How long the job continues to query the provider about an open payment after the payment has expired, in
 * milliseconds.
 */
const AFTERWARDS_MS = 24 * 3_600_000

/**
 * Settles orders that are not finished: orders that wait for payment or execution, and refunds that are due. For a
 * day, also queries the payments of orders that were closed unpaid. If an order fails, logs the error and
 * continues with the next order.
 *
 * @returns the number of orders that it tried to settle
 */
export async function reconcileOrders(parts: SettleParts, signal?: AbortSignal): Promise<number> {
  const { db, clock, log } = parts
  const now = clock.now()
  // Each part of this query uses a partial index that contains only the open rows.
  const openOrders = sql`
    select ${orders.id} as id from ${orders} where ${orders.state} in ('submitted', 'to_execute')
    union select ${orders.id} from ${payments} join ${orders} on ${orders.paymentId} = ${payments.id}
      where ${payments.state} = 'refundDue'
    union select ${orders.id} from ${payments} join ${orders} on ${orders.paymentId} = ${payments.id}
      where ${payments.state} = 'open' and ${payments.expiresAt} > ${new Date(now - AFTERWARDS_MS).toISOString()}::timestamptz`
  let count = 0
  for (let after = 0; ; ) {
    signal?.throwIfAborted()
    const some = await rowsOf<{ id: number }>(
      db,
      sql`select id from (${openOrders}) as unsettled where id > ${after} order by id limit ${SLICE}`,
    )
    for (const { id } of some) {
      try {
        await settleOrder(parts, id)
      } catch (error) {
        const level = error instanceof ProviderSilent ? 'warn' : 'error'
        log[level]({ err: error, order: id }, 'an order could not be settled')
      }
    }
    count += some.length
    after = some.at(-1)?.id ?? after
    if (some.length < SLICE) return count
  }
}

/** Starts the job that settles open orders every minute. */
export async function startOrderJobs(jobs: JobQueue, parts: SettleParts): Promise<void> {
  await jobs.declare(RECONCILE, { alone: true, retries: 0, expireSeconds: 600 })
  await jobs.work(RECONCILE, async (_data, signal) => {
    await reconcileOrders(parts, signal)
  })
  await jobs.schedule(RECONCILE, '* * * * *')
}
