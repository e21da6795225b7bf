import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { type attemptKind, attempts } from './attempts.table.ts'

export type AttemptKind = (typeof attemptKind.enumValues)[number]

/** Guesses that an account has (decision 28). */
export const TRIES = 5
/** How long it waits after them, in milliseconds. */
export const WAIT_MS = 15 * 60_000

/**
 * Takes one of the tries that an account has. It is counted before the guess is looked at, so that many guesses at once
 * are no more than one after the other.
 *
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError slowDown when there is none left, with the time until there are new ones
 */
export async function takeAttempt(
  db: Database,
  kind: AttemptKind,
  accountId: number,
  now: number,
): Promise<void> {
  const until = new Date(now + WAIT_MS).toISOString()
  const at = new Date(now).toISOString()
  const [row] = await db
    .insert(attempts)
    .values({ accountId, kind, count: 1, until: now + WAIT_MS })
    .onConflictDoUpdate({
      target: [attempts.accountId, attempts.kind],
      set: {
        count: sql`case when ${attempts.until} <= ${at}::timestamptz then 1
          else least(${attempts.count}, ${TRIES}) + 1 end`,
        // The wait begins with the last try, and is no longer for those who go on asking.
        until: sql`case when ${attempts.until} <= ${at}::timestamptz or ${attempts.count} < ${TRIES}
          then ${until}::timestamptz else ${attempts.until} end`,
      },
    })
    .returning()
  if (row && row.count > TRIES) {
    throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil((row.until - now) / 1000) })
  }
}

/** Gives an account all its tries back: it has guessed right. */
export async function forgetAttempts(db: Database, kind: AttemptKind, accountId: number): Promise<void> {
  await db.delete(attempts).where(and(eq(attempts.accountId, accountId), eq(attempts.kind, kind)))
}
