import { createHash, randomBytes, randomInt } from 'node:crypto'
import { describeDevice } from '@ondine/contract/device-names'
import { PAIRING, PAIRING_ALPHABET, plainCode } from '@ondine/contract/pairing-code'
import { and, eq, gt, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { forgetAttempts, takeAttempt } from '../attempts/attempts.service.ts'
import { pairings } from './pairing.table.ts'

type Pairing = typeof pairings.$inferSelect

/** How often a code is drawn anew that somebody else shows already. */
const DRAWS = 5

/**
 * Begins a pairing for a television.
 *
 * @param now milliseconds since the Unix epoch.
 */
export async function startPairing(
  db: Database,
  television: { storefrontId: number; userAgent: string },
  now: number,
): Promise<{ code: string; secret: string }> {
  // What has ended makes room for new codes.
  await db.delete(pairings).where(lte(pairings.expiresAt, now))
  const secret = randomBytes(24).toString('base64url')
  for (let draw = 0; draw < DRAWS; draw++) {
    const code = drawCode()
    const stored = await db
      .insert(pairings)
      .values({
        ...television,
        userAgent: television.userAgent.slice(0, 500),
        code,
        secretHash: hashOf(secret),
        startedAt: now,
        expiresAt: now + PAIRING.seconds * 1000,
      })
      .onConflictDoNothing()
      .returning({ code: pairings.code })
    if (stored.length > 0) return { code, secret }
  }
  throw new Error('There is no free pairing code.')
}

function drawCode(): string {
  return Array.from(
    { length: PAIRING.codeLength },
    () => PAIRING_ALPHABET[randomInt(PAIRING_ALPHABET.length)],
  ).join('')
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Who enters a code, and where. */
export interface Entering {
  accountId: number
  profileId: number
  storefrontId: number
}

/**
 * The television that shows a code; undefined when none does. A wrong code is one of the account's tries.
 *
 * @throws ServiceError slowDown after too many of them
 */
export async function findTelevision(
  db: Database,
  code: string,
  { accountId, storefrontId }: Entering,
  now: number,
): Promise<{ name: string; startedAt: number } | undefined> {
  await takeAttempt(db, 'pairing', accountId, now)
  const [row] = await db
    .select()
    .from(pairings)
    .where(waiting(code, storefrontId, now))
  if (!row) return undefined
  await forgetAttempts(db, 'pairing', accountId)
  return { name: describeDevice(row.userAgent).name, startedAt: Math.floor(row.startedAt / 1000) }
}

/**
 * Pairs the television that shows a code: it may come in as this profile. A code works once.
 *
 * @returns whether there was one
 * @throws ServiceError slowDown after too many wrong codes
 */
export async function pairTelevision(
  db: Database,
  code: string,
  { accountId, profileId, storefrontId }: Entering,
  now: number,
): Promise<boolean> {
  await takeAttempt(db, 'pairing', accountId, now)
  const paired = await db
    .update(pairings)
    .set({ accountId, profileId })
    .where(waiting(code, storefrontId, now))
    .returning({ code: pairings.code })
  if (paired.length === 0) return false
  await forgetAttempts(db, 'pairing', accountId)
  return true
}

function waiting(code: string, storefrontId: number, now: number) {
  return and(
    eq(pairings.code, plainCode(code)),
    eq(pairings.storefrontId, storefrontId),
    isNull(pairings.accountId),
    gt(pairings.expiresAt, now),
  )
}

/** What became of a television's pairing; `paired` is told while it holds, and ended by {@link endPairing}. */
export async function pairingOf(
  db: Database,
  secret: string,
  now: number,
): Promise<'waiting' | 'expired' | (Pairing & { accountId: number; profileId: number })> {
  const [row] = await db
    .select()
    .from(pairings)
    .where(and(eq(pairings.secretHash, hashOf(secret)), gt(pairings.expiresAt, now)))
  if (!row) return 'expired'
  const { accountId, profileId } = row
  return accountId === null || profileId === null ? 'waiting' : { ...row, accountId, profileId }
}

/** Takes a pairing out of use: whoever takes it is the one it was for. @returns false when another call was first */
export async function endPairing(db: Database, code: string): Promise<boolean> {
  const ended = await db
    .delete(pairings)
    .where(and(eq(pairings.code, code), isNotNull(pairings.accountId)))
    .returning({ code: pairings.code })
  return ended.length > 0
}

/** Takes back what an account has let in that has not come yet. */
export async function forgetPairings(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(pairings).where(eq(pairings.accountId, accountId))
}
