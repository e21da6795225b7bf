import type { Context } from '../../../context.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from './extend-schedules.ts'
import { declareSchedules, EXTEND, requestSchedules } from './schedule.service.ts'

const HOUR_MS = 3600_000

type JobContext = Pick<Context, 'db' | 'jobs' | 'clock' | 'log' | 'settings'>

/**
 * Starts the jobs that schedule all channels ahead: one now, one each minute, and one on each `requestSchedules`.
 */
export async function startChannelJobs(context: JobContext): Promise<void> {
  const { db, jobs, clock, log, settings } = context
  const aheadMs = settings.SCHEDULE_HOURS * HOUR_MS
  await declareSchedules(jobs)
  await jobs.work(EXTEND, async (_data, signal) => {
    // Use a new store in each round, so that no TrackSets stay in memory between rounds.
    const done = await extendSchedules(db, createTrackSetStore(db), clock.now(), signal, aheadMs)
    if (done.entries > 0 || done.trimmed > 0) log.info(done, 'channels are planned')
  })
  await jobs.schedule(EXTEND, '* * * * *')
  await requestSchedules(context)
}
