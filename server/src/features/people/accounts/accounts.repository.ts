import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
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
 * @returns undefined when the e-mail address already has an account, even if a concurrent call has just stored that
 * account
 */
export async function insertAccount(tx: Transaction, account: NewAccount): Promise<Account | undefined> {
  const [row] = await tx
    .insert(accounts)
    .values({ ...account, email: normaliseEmail(account.email) })
    .onConflictDoNothing({ target: [accounts.storefrontId, accounts.email] })
    .returning()
  return row
}

/**
 * Overwrites the data of the account with the e-mail address of `row`, if that account still waits for its activation.
 *
 * @returns the account's id; undefined when no such account waits
 */
export async function replacePendingAccount(tx: Transaction, row: NewAccount): Promise<number | undefined> {
  const isPending = and(
    eq(accounts.storefrontId, row.storefrontId),
    eq(accounts.email, row.email),
    // Check the status in the update itself: an account that its holder activates meanwhile keeps its data.
    eq(accounts.status, 'PENDING_ACTIVATION'),
  )
  const [replaced] = await tx.update(accounts).set(row).where(isPending).returning({ id: accounts.id })
  return replaced?.id
}

/** Activates an account that waits for its activation. */
export async function activateAccount(
  tx: Transaction,
  id: number,
  changes: Pick<Partial<NewAccount>, 'passwordHash'> = {},
): Promise<void> {
  await tx
    .update(accounts)
    .set({ ...changes, status: 'ACTIVE' })
    .where(and(eq(accounts.id, id), eq(accounts.status, 'PENDING_ACTIVATION')))
}

/**
 * Sets the e-mail address of an account. The database rejects an address that another account of the storefront has.
 */
export async function setEmail(tx: Transaction, id: number, email: string): Promise<void> {
  await tx
    .update(accounts)
    .set({ email: normaliseEmail(email) })
    .where(eq(accounts.id, id))
}

/** Moves at most `most` archived accounts to another storefront. @returns the number of moved accounts */
export async function moveArchivedAccounts(
  db: Database,
  { from, to }: { from: number; to: number },
  most: number,
): Promise<number> {
  const some = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.storefrontId, from), eq(accounts.status, 'ARCHIVED')))
    .limit(most)
    // Renewals lock several accounts in this order too, so that they do not deadlock with this update. A migration to
    // new terms locks accounts in another order. After a deadlock with a migration, this update is retried.
    .orderBy(asc(accounts.id))
    .for('update')
  const moved = await retryOnDeadlock(
    async () =>
      await db
        .update(accounts)
        .set({ storefrontId: to })
        .where(inArray(accounts.id, some))
        .returning({ id: accounts.id }),
  )
  return moved.length
}
