import type { Context } from '../../../context.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from './extend-schedules.ts'

const EXTEND = 'channels-extend'
const OPTIONS = { retries: 3, expireSeconds: 900 }

const HOUR_MS = 3600_000

type JobContext = Pick<Context, 'db' | 'jobs' | 'clock' | 'log' | 'settings'>

/** Schedules all channels ahead: now, each minute, and on `requestSchedules`. */
export async function startChannelJobs(context: JobContext): Promise<void> {
  const { db, jobs, clock, log, settings } = context
  const aheadMs = settings.SCHEDULE_HOURS * HOUR_MS
  await jobs.declare(EXTEND, OPTIONS)
  await jobs.work(EXTEND, async (_data, signal) => {
    // Each round has its own store, so that nothing stays in memory between rounds.
    const done = await extendSchedules(db, createTrackSetStore(db), clock.now(), signal, aheadMs)
    if (done.entries > 0 || done.trimmed > 0) log.info(done, 'channels are planned')
  })
  await jobs.schedule(EXTEND, '* * * * *')
  await requestSchedules(context)
}

/**
 * Requests scheduling soon. Call it when an asset has become ready or a channel was added. It also works in processes
 * that run no jobs, such as a command beside the service.
 */
export async function requestSchedules({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.declare(EXTEND, OPTIONS)
  await jobs.send(EXTEND, EXTEND, {})
}
