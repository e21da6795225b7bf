import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import type { RemovedTitle } from '../../content/library/title-hooks.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'

/** Kind of the jobs that schedule all channels ahead. */
export const EXTEND = 'channels-extend'

/** Declares the queue of these jobs. Processes that run jobs need this, and processes that only request jobs. */
export async function declareSchedules(jobs: JobQueue): Promise<void> {
  await jobs.declare(EXTEND, { retries: 3, expireSeconds: 900 })
}

/**
 * Requests scheduling soon. Call it when an asset has become ready or a channel was added. It also works in processes
 * that run no jobs, such as a command beside the service.
 */
export async function requestSchedules({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await declareSchedules(jobs)
  await jobs.send(EXTEND, EXTEND, {})
}

/** Copies the rating of a removed title to its entries, which are kept. */
export async function keepEntryRating(
  tx: Transaction,
  { id, moralityLevel, adult }: RemovedTitle,
): Promise<void> {
  await tx.update(scheduleEntries).set({ moralityLevel, adult }).where(eq(scheduleEntries.assetId, id))
}
