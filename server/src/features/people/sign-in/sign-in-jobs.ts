import { lte } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { signInEndings } from './sign-in-endings.table.ts'

const SWEEP = 'sign-in-endings-sweep'

const HOUR_MS = 3_600_000

/**
 * Deletes rows of `sign_in_endings` that are older than the longest lifetime of a token, because all tokens of
 * their sign-ins have expired. Renewals by a device do not need the rows, because a renewal checks the device in
 * the database.
 *
 * @param playSeconds lifetime of playback tokens, in seconds
 */
export async function sweepSignInEndings(
  { db, clock, settings }: Pick<Context, 'db' | 'clock' | 'settings'>,
  playSeconds: number,
): Promise<void> {
  const longest = Math.max(settings.TOKEN_HOURS * HOUR_MS, playSeconds * 1000) + HOUR_MS
  await db.delete(signInEndings).where(lte(signInEndings.endedAt, new Date(clock.now() - longest)))
}

/**
 * Starts the hourly job for {@link sweepSignInEndings}. @param playSeconds lifetime of playback tokens, in seconds
 */
export async function startSignInJobs(
  context: Pick<Context, 'db' | 'clock' | 'jobs' | 'settings'>,
  playSeconds: number,
): Promise<void> {
  const { jobs } = context
  await jobs.declare(SWEEP, { retries: 0, expireSeconds: 300 })
  await jobs.work(SWEEP, async () => await sweepSignInEndings(context, playSeconds))
  await jobs.schedule(SWEEP, '29 * * * *')
}
