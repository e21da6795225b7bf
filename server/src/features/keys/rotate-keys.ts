import { randomBytes } from 'node:crypto'
import { desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { SETTLING_MS } from './keys.service.ts'
import { signingKeys } from './keys.table.ts'

/** The longest that a token holds, in milliseconds: that of a device, as an operator may set it. */
const LONGEST_TOKEN_MS = 730 * 86_400_000

/** A signing key as it is shown; its secret never is. */
export interface ShownKey {
  id: string
  /** Milliseconds since the Unix epoch. */
  createdAt: number
}

/** The signing keys, the newest first. */
export async function listKeys(db: Database | Transaction): Promise<ShownKey[]> {
  return await db
    .select({ id: signingKeys.id, createdAt: signingKeys.createdAt })
    .from(signingKeys)
    .orderBy(desc(signingKeys.createdAt), signingKeys.id)
}

/**
 * Makes a new signing key, which signs from {@link SETTLING_MS} on. What the others have signed holds; one whose last token has
 * ended goes.
 *
 * @param now milliseconds since the Unix epoch.
 * @param afterMs only when the newest one is so old, in milliseconds.
 * @returns the name of the new one, if one was made
 */
export async function rotateKeys(db: Database, now: number, afterMs = 0): Promise<string | undefined> {
  return await db.transaction(async (tx) => {
    // Two processes find at once that it is time: one of them makes the key.
    await tx.execute(sql`lock table ${signingKeys} in share row exclusive mode`)
    const keys = await listKeys(tx)
    const newest = keys[0]
    if (newest && newest.createdAt >= now - afterMs) return undefined
    const id = randomBytes(6).toString('hex')
    await tx.insert(signingKeys).values({ id, secret: randomBytes(32), createdAt: now })
    // A key signs no more once the next newer one does.
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
 * Takes a key away at once, because somebody else may have it: whoever shows a token of it must sign in again.
 *
 * @returns `unknown` when there is none of this name, `last` when no other one could sign
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
