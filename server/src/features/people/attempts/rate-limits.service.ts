import { lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import {
  attemptKey,
  MINUTE_MS,
  type RateLimit,
  type RateLimitOptions,
  rateLimit,
} from '../../../http/rate-limit.ts'
import { rateLimitCounts } from './attempts.table.ts'

/**
 * Limits the attempts of each client in all processes together (docs/decisions/0114). The database counts them, so a
 * restart does not clear the count. Each process also counts in memory, so a client that exceeds the limit does not
 * reach the database.
 *
 * @param name identifies the limit; limits with the same name share their counts
 */
export function sharedRateLimit(
  app: FastifyInstance,
  { db, clock }: { db: Database; clock: Clock },
  name: string,
  options: RateLimitOptions,
): RateLimit {
  const { max, periodMs = MINUTE_MS, about } = options
  const limitInProcess = rateLimit(app, options)
  return async (request) => {
    await limitInProcess(request)
    const now = clock.now()
    const { count, until } = await countAttempt(db, `${name} ${attemptKey(request, about)}`, now, periodMs)
    if (count > max)
      throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil((until - now) / 1000) })
  }
}

/** Counts an attempt, and returns the count of the current period and the end of the period. */
async function countAttempt(
  db: Database,
  key: string,
  now: number,
  periodMs: number,
): Promise<{ count: number; until: number }> {
  const hasEnded = lte(rateLimitCounts.until, now)
  const [row] = await db
    .insert(rateLimitCounts)
    .values({ key, count: 1, until: now + periodMs })
    .onConflictDoUpdate({
      target: rateLimitCounts.key,
      set: {
        count: sql`case when ${hasEnded} then 1 else ${rateLimitCounts.count} + 1 end`,
        until: sql`case when ${hasEnded} then excluded.until else ${rateLimitCounts.until} end`,
      },
    })
    .returning()
  if (!row) throw new Error('The upsert returned no row.')
  return row
}

/** Deletes the counts of periods that have ended. @param now milliseconds since the Unix epoch. */
export async function forgetRateLimitCounts(db: Database, now: number): Promise<void> {
  await db.delete(rateLimitCounts).where(lte(rateLimitCounts.until, now))
}
