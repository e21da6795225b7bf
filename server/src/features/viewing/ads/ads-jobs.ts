import type { Context } from '../../../context.ts'
import { sweepAds } from './ads.service.ts'
import { declareCreatives, PREPARE_CREATIVE } from './creative-queue.ts'

const SWEEP = 'ads-sweep'

/** Prepares creatives, and deletes old deliveries and creatives every night. */
export async function startAdJobs(context: Context): Promise<void> {
  const { jobs, db, clock } = context
  await declareCreatives(jobs)
  await jobs.work<{ id: string }>(PREPARE_CREATIVE, async ({ id }, signal) => {
    const { prepareCreative } = await import('./prepare-creative.ts')
    await prepareCreative(context, id, signal)
  })
  await jobs.declare(SWEEP, { retries: 0, expireSeconds: 300 })
  await jobs.work(SWEEP, async () => await sweepAds(db, clock.now()))
  await jobs.schedule(SWEEP, '23 4 * * *')
}
