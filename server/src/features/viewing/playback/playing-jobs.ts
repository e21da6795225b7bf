import type { Context } from '../../../context.ts'
import { forgetPlaying } from './playing.service.ts'

const SWEEP = 'playing-sweep'

/**
 * Sessions without a heartbeat for this long are deleted, in milliseconds. They stop counting after `SILENCE_MS`.
 */
const FORGOTTEN_MS = 3600_000

/**
 * Deletes sessions without a heartbeat for an hour. A new session also deletes the silent sessions of its account,
 * but some accounts never start another session.
 *
 * @returns the number of deleted sessions
 */
export async function sweepPlaying({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  return await forgetPlaying(db, clock.now() - FORGOTTEN_MS)
}

/** Schedules the hourly sweep. */
export async function startPlayingJobs(context: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { jobs } = context
  await jobs.declare(SWEEP, { retries: 0, expireSeconds: 300 })
  await jobs.work(SWEEP, async () => {
    await sweepPlaying(context)
  })
  await jobs.schedule(SWEEP, '53 * * * *')
}
