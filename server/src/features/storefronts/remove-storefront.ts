import type { Holdings } from '@ondine/contract/storefront-calls'
import { and, count, eq, ne } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/connection.ts'
import { anonymise } from '../accounts/account-changes.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { documentRevisions } from '../documents/documents.table.ts'
import { editorial } from '../editorial/editorial.table.ts'
import { pairings } from '../pairing/pairing.table.ts'
import { profiles } from '../profiles/profiles.table.ts'
import { StorefrontError } from './storefronts.service.ts'
import { storefronts as storefrontsTable } from './storefronts.table.ts'

/** Accounts that are read at a time. Each is deleted in a transaction of its own. */
const SLICE = 100

/** What belongs to a storefront alone, and goes with it. */
export async function holdingsOf(db: Database, storefrontId: number): Promise<Holdings> {
  const open = isOpenAt(storefrontId)
  const [[people], [watching], [texts], [revisions]] = await Promise.all([
    db.select({ count: count() }).from(accounts).where(open),
    db
      .select({ count: count() })
      .from(profiles)
      .innerJoin(accounts, eq(profiles.accountId, accounts.id))
      .where(open),
    db.select({ count: count() }).from(editorial).where(eq(editorial.storefrontId, storefrontId)),
    db
      .select({ count: count() })
      .from(documentRevisions)
      .where(eq(documentRevisions.storefrontId, storefrontId)),
  ])
  return {
    accounts: people?.count ?? 0,
    profiles: watching?.count ?? 0,
    texts: texts?.count ?? 0,
    revisions: revisions?.count ?? 0,
  }
}

/**
 * Removes a storefront with all that belongs to it alone. Its accounts are deleted as their holders would delete them:
 * what accounting must keep moves to the first storefront, on accounts without a name. When it is interrupted it can be
 * called again.
 *
 * @throws StorefrontError for the first storefront
 */
export async function removeStorefront(
  { db, storefronts }: Pick<Context, 'db' | 'storefronts'>,
  { id, apiKey }: { id: number; apiKey: string },
): Promise<void> {
  const first = storefronts.first()
  if (id === first.id)
    throw new StorefrontError(`${apiKey} is the first storefront: it answers calls without an api key.`)
  do await deleteAccounts(db, id)
  while (!(await removeEmpty(db, id, first.id)))
  await storefronts.refresh()
}

function isOpenAt(storefrontId: number) {
  return and(eq(accounts.storefrontId, storefrontId), ne(accounts.status, 'ARCHIVED'))
}

async function deleteAccounts(db: Database, storefrontId: number): Promise<void> {
  for (;;) {
    const slice = await db
      .select({ id: accounts.id })
      .from(accounts)
      .where(isOpenAt(storefrontId))
      .limit(SLICE)
    for (const { id } of slice) await anonymise(db, id)
    if (slice.length < SLICE) return
  }
}

/** @returns false when somebody has registered meanwhile: then nothing is removed */
async function removeEmpty(db: Database, storefrontId: number, firstId: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    // Nobody registers while this row is locked: the foreign key of a new account waits for it.
    await tx.select().from(storefrontsTable).where(eq(storefrontsTable.id, storefrontId)).for('update')
    const [open] = await tx.select({ id: accounts.id }).from(accounts).where(isOpenAt(storefrontId)).limit(1)
    if (open) return false
    await tx.update(accounts).set({ storefrontId: firstId }).where(eq(accounts.storefrontId, storefrontId))
    await tx.delete(pairings).where(eq(pairings.storefrontId, storefrontId))
    // Its documents and texts go with it.
    await tx.delete(storefrontsTable).where(eq(storefrontsTable.id, storefrontId))
    return true
  })
}
