import type { Holdings } from '@ondine/contract/storefront-calls'
import { and, count, eq, ne } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { anonymise } from '../../people/accounts/account-changes.service.ts'
import type { AccountHooks } from '../../people/accounts/account-hooks.ts'
import { moveArchivedAccounts } from '../../people/accounts/accounts.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { forgetPairingsOfStorefront } from '../../people/pairing/pairing.service.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { documentRevisions } from '../../settings/documents/documents.table.ts'
import {
  deleteStorefront,
  holdStorefront,
  StorefrontError,
} from '../../settings/storefronts/storefronts.service.ts'
import { removeTextsOf } from '../../viewing/editorial/editorial.service.ts'
import { editorial } from '../../viewing/editorial/editorial.table.ts'

/** Number of accounts or texts that are read at a time. */
const SLICE = 100
/**
 * Maximum number of accounts or texts that are removed in one slice. The service answers other calls between
 * slices.
 */
export const MOST_GONE = { accounts: 50, texts: SLICE }

/** Counts the rows that belong only to this storefront, and that the removal of the storefront deletes. */
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
 * Removes a storefront with all data that belongs only to it. Its accounts are deleted as if their holders had
 * deleted them. Accounting records remain, and move with the anonymised accounts to the first storefront. After an
 * interruption, the function can be called again.
 *
 * @throws StorefrontError for the first storefront
 */
export async function removeStorefront(
  { db, storefronts, clock, accountHooks }: Pick<Context, 'db' | 'storefronts' | 'clock' | 'accountHooks'>,
  { id, apiKey }: { id: number; apiKey: string },
): Promise<void> {
  const first = storefronts.first()
  if (id === first.id)
    throw new StorefrontError(`${apiKey} is the first storefront: it answers calls without an api key.`)
  do {
    await deleteAccounts(db, accountHooks, id, clock.now())
    await moveArchived(db, id, first.id)
    await deleteTexts(db, id)
  } while (!(await removeEmpty(db, id)))
  await storefronts.refresh()
}

function isOpenAt(storefrontId: number) {
  return and(eq(accounts.storefrontId, storefrontId), ne(accounts.status, 'ARCHIVED'))
}

/** Deletes the accounts, each in a separate transaction. */
async function deleteAccounts(
  db: Database,
  hooks: AccountHooks,
  storefrontId: number,
  now: number,
): Promise<void> {
  const pace = new Pace(MOST_GONE.accounts)
  for (;;) {
    const some = await db
      .select({ id: accounts.id })
      .from(accounts)
      .where(isOpenAt(storefrontId))
      .limit(SLICE)
    await pace.over(some, async (slice) => {
      for (const { id } of slice) await anonymise(db, hooks, id, now)
    })
    if (some.length < SLICE) return
  }
}

async function moveArchived(db: Database, storefrontId: number, firstId: number): Promise<void> {
  const pace = new Pace(MOST_GONE.accounts)
  for (;;) {
    const isLast = await pace.slice(
      async (most) => (await moveArchivedAccounts(db, { from: storefrontId, to: firstId }, most)) < most,
    )
    if (isLast) return
  }
}

async function deleteTexts(db: Database, storefrontId: number): Promise<void> {
  const pace = new Pace(MOST_GONE.texts)
  for (;;) {
    const isLast = await pace.slice(async (most) => (await removeTextsOf(db, storefrontId, most)) < most)
    if (isLast) return
  }
}

/**
 * Removes the storefront, unless an account was created meanwhile. @returns false if an account exists; then
 * nothing is removed
 */
async function removeEmpty(db: Database, storefrontId: number): Promise<boolean> {
  const isOfStorefront = eq(accounts.storefrontId, storefrontId)
  return await retryOnDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        await holdStorefront(tx, storefrontId)
        const [someone] = await tx.select({ id: accounts.id }).from(accounts).where(isOfStorefront).limit(1)
        if (someone) return false
        await forgetPairingsOfStorefront(tx, storefrontId)
        await deleteStorefront(tx, storefrontId)
        return true
      }),
  )
}
