import { and, eq, lte } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { ServiceError } from '../../../http/errors.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import { type TakeParts, takeSubscriptions } from './service-subscriptions.service.ts'
import { serviceCustomers } from './subscription-service.table.ts'

const CHECK = 'service-subscriptions-check'

/** Number of customers that one query reads. */
const SLICE = 100

/** Delay before a failed query is repeated, in milliseconds. */
const AGAIN_MS = 600_000

/**
 * Queries the service for each customer whose query is due, the most overdue first. If a query fails, logs the
 * error and continues with the next customer.
 *
 * @param signal stops the run when it is aborted
 * @returns the number of customers that were queried
 */
export async function checkServiceSubscriptions(
  parts: TakeParts & { log: FastifyBaseLogger },
  signal?: AbortSignal,
): Promise<number> {
  const { db, clock, log } = parts
  // Customers whose query becomes due during the run wait for the next run.
  const isDue = lte(serviceCustomers.checkAt, clock.now())
  let asked = 0
  for (;;) {
    const due = await db
      .select({ accountId: serviceCustomers.accountId })
      .from(serviceCustomers)
      .where(isDue)
      .orderBy(serviceCustomers.checkAt)
      .limit(SLICE)
    if (due.length === 0) return asked
    for (const { accountId } of due) {
      signal?.throwIfAborted()
      asked++
      try {
        await takeSubscriptions(parts, accountId)
      } catch (error) {
        const isSilent = error instanceof ServiceError && error.error === 'subscriptionServiceSilent'
        log[isSilent ? 'warn' : 'error'](
          { err: error, account: accountId },
          'subscriptions could not be queried',
        )
        await db
          .update(serviceCustomers)
          .set({ checkAt: clock.now() + AGAIN_MS })
          // If a checkout was opened meanwhile, keep the `checkAt` that it has set.
          .where(and(eq(serviceCustomers.accountId, accountId), isDue))
      }
    }
  }
}

/** Starts the job that queries the service. It runs every minute. */
export async function startServiceJobs(
  jobs: JobQueue,
  parts: TakeParts & { log: FastifyBaseLogger },
): Promise<void> {
  await jobs.declare(CHECK, { alone: true, retries: 0, expireSeconds: 3600 })
  await jobs.work(CHECK, async (_data, signal) => {
    await checkServiceSubscriptions(parts, signal)
  })
  await jobs.schedule(CHECK, '* * * * *')
}
