import { and, eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { insertProfiles, type NewProfile } from '../profiles/profiles.service.ts'
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
 * Stores an account with its profiles. The first profile becomes the default one (A4.6-05).
 *
 * @returns undefined when the address already has an account, even one stored concurrently
 */
export async function insertAccount(
  tx: Transaction,
  account: NewAccount,
  itsProfiles: NewProfile[],
): Promise<Account | undefined> {
  const [row] = await tx
    .insert(accounts)
    .values({ ...account, email: normaliseEmail(account.email) })
    .onConflictDoNothing({ target: [accounts.storefrontId, accounts.email] })
    .returning()
  if (row) await insertProfiles(tx, row.id, itsProfiles)
  return row
}
