import type { Context } from '../../context.ts'
import { forgetPlaying } from './playing.service.ts'

const SWEEP = 'playing-sweep'

/** What was not heard of for so long is forgotten, in milliseconds. It ended to be counted long before. */
const FORGOTTEN_MS = 3600_000

/**
 * Forgets what ended without saying so, and whose account has begun nothing since: that would stand there for ever.
 *
 * @returns how many sessions went
 */
export async function sweepPlaying({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  return await forgetPlaying(db, clock.now() - FORGOTTEN_MS)
}

/** Forgets every hour what has not been heard of for long. */
export async function startPlayingJobs(context: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { jobs } = context
  await jobs.declare(SWEEP, { retries: 0, expireSeconds: 300 })
  await jobs.work(SWEEP, async () => {
    await sweepPlaying(context)
  })
  await jobs.schedule(SWEEP, '53 * * * *')
}
