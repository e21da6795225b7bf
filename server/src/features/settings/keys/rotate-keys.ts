import { randomBytes } from 'node:crypto'
import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { SETTLING_MS } from './keys.service.ts'
import { signingKeys } from './keys.table.ts'

/** Longest validity of a token, in milliseconds: the maximum that an operator can configure for device tokens. */
const LONGEST_TOKEN_MS = 730 * 86_400_000

/** A signing key without its secret, for display. */
export interface ShownKey {
  id: string
  /** In milliseconds since the Unix epoch. */
  createdAt: number
}

/** Returns the signing keys, newest first. */
export async function listKeys(db: Database | Transaction): Promise<ShownKey[]> {
  return await db
    .select({ id: signingKeys.id, createdAt: signingKeys.createdAt })
    .from(signingKeys)
    .orderBy(desc(signingKeys.createdAt), signingKeys.id)
}

/**
 * Creates a new signing key, which signs after {@link SETTLING_MS}. Tokens of other keys stay valid. Deletes keys
 * whose last token has expired.
 *
 * @param now milliseconds since the Unix epoch.
 * @param afterMs creates a key only if the newest key is at least this old, in milliseconds.
 * @returns the id of the new key, if one was created
 */
export async function rotateKeys(db: Database, now: number, afterMs = 0): Promise<string | undefined> {
  return await db.transaction(async (tx) => {
    // Only one of several concurrent processes creates the key.
    await tx.execute(sql`lock table ${signingKeys} in share row exclusive mode`)
    const keys = await listKeys(tx)
    const newest = keys[0]
    if (newest && newest.createdAt >= now - afterMs) return undefined
    const id = randomBytes(6).toString('hex')
    await tx.insert(signingKeys).values({ id, secret: randomBytes(32), createdAt: now })
    // A key stops signing when a newer key starts. Its last token expires `LONGEST_TOKEN_MS` later.
    const ended = keys.filter((_key, index) => {
      const next = keys[index - 1]
      return next !== undefined && next.createdAt + SETTLING_MS + LONGEST_TOKEN_MS < now
    })
    await tx.delete(signingKeys).where(
      inArray(
        signingKeys.id,
        ended.map((key) => key.id),
      ),
    )
    return id
  })
}

/**
 * Removes a key at once, because it may be compromised. All sign-ins with tokens of this key end.
 *
 * @returns `unknown` if no key has this id, `last` if it is the only key
 */
export async function revokeKey(db: Database, id: string): Promise<'revoked' | 'unknown' | 'last'> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${signingKeys} in share row exclusive mode`)
    const keys = await listKeys(tx)
    if (!keys.some((key) => key.id === id)) return 'unknown'
    if (keys.length === 1) return 'last'
    await tx.delete(signingKeys).where(eq(signingKeys.id, id))
    return 'revoked'
  })
}
