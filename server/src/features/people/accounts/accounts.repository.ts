import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { accounts } from './accounts.table.ts'

export type Account = typeof accounts.$inferSelect

/** Normalises an e-mail address for comparison, which ignores case and surrounding spaces. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

export async function findAccountByEmail(
  db: Database,
  storefrontId: number,
  email: string,
): Promise<Account | undefined> {
  const [account] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.storefrontId, storefrontId), eq(accounts.email, normaliseEmail(email))))
  return account
}

export async function findAccount(db: Database, id: number): Promise<Account | undefined> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, id))
  return account
}

export type NewAccount = typeof accounts.$inferInsert

/**
 * Stores an account without profiles.
 *
 * @returns undefined when the address already has an account, even one stored concurrently
 */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<Account | undefined> {
  const [row] = await tx
    .insert(accounts)
    .values({ ...account, email: normaliseEmail(account.email) })
    .onConflictDoNothing({ target: [accounts.storefrontId, accounts.email] })
    .returning()
  return row
}
