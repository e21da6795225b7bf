import { eq } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import type { JobQueue } from '../../../jobs/queue.ts'
import type { RemovedTitle } from '../../content/library/title-hooks.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'

/** Queue of the jobs that schedule all channels ahead. */
export const EXTEND = 'channels-extend'

/**
 * Declares the queue of scheduling jobs. Required in processes that run these jobs, and in processes that only
 * request them.
 */
export async function declareSchedules(jobs: JobQueue): Promise<void> {
  await jobs.declare(EXTEND, { retries: 3, expireSeconds: 900 })
}

/**
 * Requests a scheduling job as soon as possible. Call this when an asset has become ready or a channel was added.
 * Also works in processes that run no jobs, such as a command.
 */
export async function requestSchedules({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await declareSchedules(jobs)
  await jobs.send(EXTEND, EXTEND, {})
}

/** Copies the rating of a removed title to its schedule entries, because the entries stay. */
export async function keepEntryRating(
  tx: Transaction,
  { id, moralityLevel, adult }: RemovedTitle,
): Promise<void> {
  await tx.update(scheduleEntries).set({ moralityLevel, adult }).where(eq(scheduleEntries.assetId, id))
}
