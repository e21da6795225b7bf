import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import type { Operator } from '../../../http/principal.ts'
import { operators } from './operators.table.ts'

export type OperatorRow = typeof operators.$inferSelect

/**
 * Creates an operator, or gives a revoked operator a new token. The service stores only the hash of the token, so
 * the token cannot be shown again.
 *
 * @returns the token; undefined if the name is in use
 */
export async function createOperator(db: Database, name: string): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const tokenHash = hashOf(token)
  const rows = await db
    .insert(operators)
    .values({ name, tokenHash })
    .onConflictDoUpdate({
      target: operators.name,
      set: { tokenHash, revokedAt: null },
      setWhere: isNotNull(operators.revokedAt),
    })
    .returning()
  return rows.length === 0 ? undefined : token
}

/**
 * Revokes an operator's token. The next call with the token is refused.
 *
 * @returns false if no operator with that name has a valid token
 */
export async function revokeOperator(db: Database, name: string, now: number): Promise<boolean> {
  const rows = await db
    .update(operators)
    .set({ revokedAt: now })
    .where(and(eq(operators.name, name), isNull(operators.revokedAt)))
    .returning()
  return rows.length > 0
}

/** Returns all operators, sorted by name. */
export async function listOperators(db: Database): Promise<OperatorRow[]> {
  return await db.select().from(operators).orderBy(operators.name)
}

/**
 * Returns the operator of a token. Queries the database for each call, so that a revoked token is refused at once.
 */
export async function operatorOf(db: Database, token: string): Promise<Operator | undefined> {
  const [row] = await db
    .select({ name: operators.name })
    .from(operators)
    .where(and(eq(operators.tokenHash, hashOf(token)), isNull(operators.revokedAt)))
  return row
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
