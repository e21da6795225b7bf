import type { Context } from '../../context.ts'
import { createTrackSetStore } from '../playback/track-sets.service.ts'
import { extendSchedules } from './extend-schedules.ts'

const EXTEND = 'channels-extend'

/** Plans all channels ahead: now, each minute, and whenever `requestSchedules` asks for it. */
export async function startChannelJobs(
  context: Pick<Context, 'db' | 'jobs' | 'clock' | 'log'>,
): Promise<void> {
  const { db, jobs, clock, log } = context
  const trackSets = createTrackSetStore(db)
  await jobs.declare(EXTEND, { retries: 3, expireSeconds: 900 })
  await jobs.work(EXTEND, async (_data, signal) => {
    const done = await extendSchedules(db, trackSets, clock.now(), signal)
    if (done.entries > 0 || done.trimmed > 0) log.info(done, 'channels are planned')
  })
  await jobs.schedule(EXTEND, '* * * * *')
  await requestSchedules(context)
}

/** Has the channels planned soon: after an asset has become ready, or a channel has come. */
export async function requestSchedules({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.send(EXTEND, EXTEND, {})
}
