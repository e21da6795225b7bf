import { lte, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { forgetRateLimitCounts } from '../attempts/rate-limits.service.ts'
import { signInEndings, tokenLifetimes } from './sign-in-endings.table.ts'
import { noteTokenLifetime } from './token-lifetimes.ts'

const SWEEP = 'sign-in-endings-sweep'
const FORGET_COUNTS = 'rate-limit-counts-sweep'

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
  const now = clock.now()
  await noteTokenLifetime(db, settings.TOKEN_HOURS, now)
  const { hours, lastUsedAt } = tokenLifetimes
  // The condition is checked again for a row that a starting process renews at the same moment.
  await db
    .delete(tokenLifetimes)
    .where(lte(sql`${lastUsedAt} + (${hours} + 1) * interval '1 hour'`, new Date(now).toISOString()))
  const valid = await db.select({ hours }).from(tokenLifetimes)
  const longest = Math.max(...valid.map((row) => row.hours * HOUR_MS), playSeconds * 1000) + HOUR_MS
  await db.delete(signInEndings).where(lte(signInEndings.endedAt, new Date(now - longest)))
}

/**
 * Starts the hourly job for {@link sweepSignInEndings}, and the job that deletes counts of attempts to sign in. The second
 * one runs more often, because each client that tries adds counts.
 *
 * @param playSeconds lifetime of playback tokens, in seconds
 */
export async function startSignInJobs(
  context: Pick<Context, 'db' | 'clock' | 'jobs' | 'settings'>,
  playSeconds: number,
): Promise<void> {
  const { jobs } = context
  await jobs.declare(SWEEP, { retries: 0, expireSeconds: 300 })
  await jobs.work(SWEEP, async () => await sweepSignInEndings(context, playSeconds))
  await jobs.schedule(SWEEP, '29 * * * *')
  await jobs.declare(FORGET_COUNTS, { retries: 0, expireSeconds: 240 })
  await jobs.work(FORGET_COUNTS, async () => await forgetRateLimitCounts(context.db, context.clock.now()))
  await jobs.schedule(FORGET_COUNTS, '*/5 * * * *')
}
