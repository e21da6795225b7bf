import { and, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { type attemptKind, attempts } from './attempts.table.ts'

export type AttemptKind = (typeof attemptKind.enumValues)[number]

/**
 * Maximum number of wrong guesses per account and kind of secret (spec 28). `waitMs` is the waiting time after the
 * last permitted guess, in milliseconds.
 */
const LIMITS: Readonly<Record<AttemptKind, { tries: number; waitMs: number }>> = {
  parental_code: { tries: 5, waitMs: 15 * 60_000 },
  pairing: { tries: 5, waitMs: 15 * 60_000 },
  voucher: { tries: 10, waitMs: 60_000 },
}

/**
 * Counts one guess of an account. Must be called before the guess is checked. Otherwise concurrent guesses could
 * exceed the limit.
 *
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError slowDown if no try is left, with the time until the account may guess again
 */
export async function takeAttempt(
  db: Database,
  kind: AttemptKind,
  accountId: number,
  now: number,
): Promise<void> {
  const { tries, waitMs } = LIMITS[kind]
  const until = new Date(now + waitMs).toISOString()
  const at = new Date(now).toISOString()
  const [row] = await db
    .insert(attempts)
    .values({ accountId, kind, count: 1, until: now + waitMs })
    .onConflictDoUpdate({
      target: [attempts.accountId, attempts.kind],
      set: {
        count: sql`case when ${attempts.until} <= ${at}::timestamptz then 1
          else least(${attempts.count}, ${tries}) + 1 end`,
        // The waiting time starts at the last permitted guess. Further guesses do not extend it.
        until: sql`case when ${attempts.until} <= ${at}::timestamptz or ${attempts.count} < ${tries}
          then ${until}::timestamptz else ${attempts.until} end`,
      },
    })
    .returning()
  if (row && row.count > tries) {
    throw new ServiceError('slowDown', { retryAfterSeconds: Math.ceil((row.until - now) / 1000) })
  }
}

/** Resets the guesses of an account after a right guess. */
export async function forgetAttempts(db: Database, kind: AttemptKind, accountId: number): Promise<void> {
  await db.delete(attempts).where(and(eq(attempts.accountId, accountId), eq(attempts.kind, kind)))
}

/** Takes back one counted guess, because the guess was right. Earlier wrong guesses remain counted. */
export async function giveBackAttempt(db: Database, kind: AttemptKind, accountId: number): Promise<void> {
  await db
    .update(attempts)
    .set({ count: sql`greatest(${attempts.count} - 1, 0)` })
    .where(and(eq(attempts.accountId, accountId), eq(attempts.kind, kind)))
}

/** Removes all counted guesses of an account that is deleted. */
export async function forgetAllAttempts(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(attempts).where(eq(attempts.accountId, accountId))
}
