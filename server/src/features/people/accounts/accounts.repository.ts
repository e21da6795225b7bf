import { and, asc, eq, gt, inArray, lte, notExists } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { accountLinks } from './account-links.table.ts'
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
 * @returns undefined if the e-mail address already has an account, even one that a concurrent call has just stored
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
 * Overwrites the account with the e-mail address of `row`, if that account is not activated yet.
 *
 * @returns the account's id; undefined if there is no such account
 */
export async function replacePendingAccount(tx: Transaction, row: NewAccount): Promise<number | undefined> {
  const isPending = and(
    eq(accounts.storefrontId, row.storefrontId),
    eq(accounts.email, row.email),
    // The update itself checks the status, because the holder may activate the account at the same moment.
    eq(accounts.status, 'PENDING_ACTIVATION'),
  )
  const [replaced] = await tx.update(accounts).set(row).where(isPending).returning({ id: accounts.id })
  return replaced?.id
}

/** Activates an account that is waiting for its activation. */
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

/** Sets the status of an account. */
export async function setStatus(
  db: Database | Transaction,
  id: number,
  status: Account['status'],
): Promise<void> {
  await db.update(accounts).set({ status }).where(eq(accounts.id, id))
}

/**
 * Deletes at most `most` accounts that are waiting for their activation. Keeps an account whose last registration is later
 * than `registeredUntil`, or whose holder still has a valid activation link. Times are milliseconds since the Unix epoch.
 *
 * @returns the number of deleted accounts
 */
export async function deletePendingAccounts(
  db: Database,
  { registeredUntil, now }: { registeredUntil: number; now: number },
  most: number,
): Promise<number> {
  const validLink = db
    .select({ id: accountLinks.id })
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.accountId, accounts.id),
        eq(accountLinks.purpose, 'activation'),
        gt(accountLinks.expiresAt, now),
      ),
    )
  // Each registration accepts the terms anew.
  const isGone = and(
    eq(accounts.status, 'PENDING_ACTIVATION'),
    lte(accounts.termsAcceptedAt, registeredUntil),
    notExists(validLink),
  )
  const some = db.select({ id: accounts.id }).from(accounts).where(isGone).limit(most).for('update')
  const deleted = await db.delete(accounts).where(inArray(accounts.id, some)).returning({ id: accounts.id })
  return deleted.length
}

/**
 * Sets the e-mail address of an account. The database rejects the address of another account of the storefront.
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
    // Renewals lock accounts in the same sequence, so they do not deadlock with this update. A migration to new
    // terms locks accounts in a different sequence. After a deadlock with a migration, this update is retried.
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
