import type { Context } from '../../../context.ts'
import type { JobQueue } from '../../../jobs/queue.ts'

/** Kind of the jobs that schedule all channels ahead. */
export const EXTEND = 'channels-extend'

/** Declares the queue, in processes that run jobs and in those that only request them. */
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
