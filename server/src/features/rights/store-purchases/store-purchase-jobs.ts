import type { JobQueue } from '../../../jobs/queue.ts'
import { checkStorePurchases, type StoreParts } from './store-purchases.service.ts'

const CHECK = 'store-purchases-check'

/** Starts the job that queries Google for purchases that are due. It runs every ten minutes. */
export async function startStorePurchaseJobs(jobs: JobQueue, parts: StoreParts): Promise<void> {
  await jobs.declare(CHECK, { alone: true, retries: 0, expireSeconds: 600 })
  await jobs.work(CHECK, async (_data, signal) => {
    await checkStorePurchases(parts, signal)
  })
  await jobs.schedule(CHECK, '*/10 * * * *')
}
