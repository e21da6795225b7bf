import { randomUUID } from 'node:crypto'
import type { OfferSource } from '@ondine/contract/orders'
import { and, desc, eq, ilike, inArray, ne, or, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import {
  type Account,
  findAccount,
  findAccountByEmail,
  holdAccount,
  setStatus,
} from '../../people/accounts/accounts.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { countDevices } from '../../people/devices/devices.service.ts'
import { hasParentalCode } from '../../people/parental/parental.service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { grants, packages } from '../../rights/entitlements/entitlements.table.ts'
import {
  addGrant,
  endOf,
  endOperatorGrants,
  GIVES_ACCESS,
  GRANT_STATUS,
} from '../../rights/entitlements/grants.service.ts'
import { purchasesOf } from '../../rights/orders/holdings.service.ts'

/** Maximum number of accounts in a list. */
export const MOST_ACCOUNTS = 200

/** Thrown if a change of an account is not possible. The message gives the reason. */
export class OperatedAccountError extends Error {
  override name = 'OperatedAccountError'
}

/** Statuses that an operator sets, with the statuses that they replace. */
const REPLACES = {
  ACTIVE: ['SUSPENDED', 'BANNED', 'INACTIVE'],
  SUSPENDED: ['ACTIVE'],
  BANNED: ['ACTIVE', 'SUSPENDED', 'INACTIVE'],
} as const satisfies Partial<Record<Account['status'], readonly Account['status'][]>>

/** Returns the accounts of a storefront, the newest first. `text` is a part of the address or of the name. */
export async function listAccounts(
  db: Database,
  { storefrontId, text = '' }: { storefrontId: number; text?: string | undefined },
): Promise<Account[]> {
  const part = `%${text.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const name = sql<string>`${accounts.firstName} || ' ' || ${accounts.lastName}`
  return await db
    .select()
    .from(accounts)
    .where(
      and(
        eq(accounts.storefrontId, storefrontId),
        ne(accounts.status, 'ARCHIVED'),
        or(ilike(accounts.email, part), ilike(name, part)),
      ),
    )
    .orderBy(desc(accounts.id))
    .limit(MOST_ACCOUNTS)
}

/**
 * Returns the account with an e-mail address, or with the customer reference that viewers read on the page of their
 * account (A3-01). A deleted account counts as unknown.
 */
export async function findNamedAccount(
  db: Database,
  storefrontId: number,
  named: string,
): Promise<Account | undefined> {
  const account = /^\d{1,9}$/.test(named)
    ? await findAccount(db, Number(named))
    : await findAccountByEmail(db, storefrontId, named)
  const isOfStorefront = account?.storefrontId === storefrontId
  return isOfStorefront && account.status !== 'ARCHIVED' ? account : undefined
}

/** A right of an account. `names` are those of its content. Times are milliseconds since the Unix epoch. */
export interface HeldRight {
  names: LocalisedText
  /** Key of the package; null for other content. */
  key: string | null
  source: (typeof grants.$inferSelect)['source']
  from: number
  /** Infinite for an unlimited right. */
  until: number
}

/** The details of an account that `accounts show` prints in addition to the row of the account. */
export interface AccountSummary {
  profiles: number
  devices: number
  hasParentalCode: boolean
  /** Rights that have not ended. */
  rights: HeldRight[]
}

export async function summaryOf(db: Database, accountId: number, now: number): Promise<AccountSummary> {
  const [profiles, devices, hasCode, rights] = await Promise.all([
    listProfiles(db, accountId),
    countDevices(db, accountId),
    hasParentalCode(db, accountId),
    rightsOf(db, accountId, now),
  ])
  return { profiles: profiles.length, devices, hasParentalCode: hasCode, rights }
}

async function rightsOf(db: Database, accountId: number, now: number): Promise<HeldRight[]> {
  const rows = await db
    .select({
      key: packages.key,
      packageNames: packages.names,
      titles: assets.titles,
      categoryNames: categories.names,
      channelNames: channels.names,
      source: grants.source,
      from: grants.validFrom,
      until: sql`extract(epoch from ${endOf()}) * 1000`.mapWith(Number),
    })
    .from(grants)
    .leftJoin(packages, eq(packages.id, grants.packageId))
    .leftJoin(assets, eq(assets.id, grants.assetId))
    .leftJoin(categories, eq(categories.id, grants.categoryId))
    .leftJoin(channels, eq(channels.id, grants.channelId))
    .where(
      and(
        eq(grants.accountId, accountId),
        inArray(grants.statusId, [...GIVES_ACCESS]),
        sql`${endOf()} > ${new Date(now).toISOString()}::timestamptz`,
      ),
    )
    .orderBy(grants.id)
  return rows.map(({ packageNames, titles, categoryNames, channelNames, ...right }) => ({
    ...right,
    names: packageNames ?? titles ?? categoryNames ?? channelNames ?? {},
  }))
}

/** A plan of an account that an app store or the subscription service charges. */
export interface ElsewherePlan {
  /** Key of the offer. */
  key: string
  seller: Exclude<OfferSource, 'order' | 'gift'>
}

/**
 * Returns the plans of an account that an app store or the subscription service goes on charging, also after the
 * account is deleted. @param now milliseconds since the Unix epoch
 */
export async function plansChargedElsewhere(
  db: Database,
  accountId: number,
  now: number,
): Promise<ElsewherePlan[]> {
  const purchases = await purchasesOf(db, accountId, now)
  return purchases.flatMap(({ offer: { type, key }, source, statusId }) =>
    type === 'subscription' && source !== 'order' && source !== 'gift' && statusId === GRANT_STATUS.active
      ? [{ key, seller: source }]
      : [],
  )
}

/**
 * Sets the status of an account. Every process learns of it by a notification of the database.
 *
 * @throws OperatedAccountError if the present status does not permit it
 */
export async function changeStatus(
  db: Database,
  accountId: number,
  status: keyof typeof REPLACES,
): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await holdAccount(tx, accountId)
    if (!account || !REPLACES[status].some((each) => each === account.status))
      throw new OperatedAccountError(`The account is ${account?.status ?? 'unknown'}.`)
    await setStatus(tx, accountId, status)
  })
}

/** Gives an account the right to a package, in place of an earlier right to it from an operator. */
export async function givePackage(
  db: Database,
  accountId: number,
  { key, from, to }: { key: string; from: number; to: number | null },
): Promise<void> {
  const packageId = await requirePackage(db, key)
  await db.transaction(async (tx) => {
    // Two commands at the same time would otherwise both give the right.
    await holdAccount(tx, accountId)
    await endOperatorGrants(tx, { accountId, packageId }, from)
    const origin = { source: 'operator', sourceId: randomUUID() } as const
    await addGrant(tx, { ...origin, accountId, opens: { packageId }, from, to })
  })
}

/**
 * Ends the right to a package that an operator gave.
 *
 * @throws OperatedAccountError if there is no such right, or no such package
 */
export async function takePackage(db: Database, accountId: number, key: string, now: number): Promise<void> {
  const packageId = await requirePackage(db, key)
  if ((await endOperatorGrants(db, { accountId, packageId }, now)) === 0)
    throw new OperatedAccountError(`No operator gave the account a right to ${key} that still runs.`)
}

async function requirePackage(db: Database, key: string): Promise<number> {
  const all = await db.select({ id: packages.id, key: packages.key }).from(packages).orderBy(packages.key)
  const found = all.find((each) => each.key === key)
  if (!found) {
    const known =
      all.length === 0
        ? 'none yet; "ondine offers import" makes them'
        : all.map((each) => each.key).join(', ')
    throw new OperatedAccountError(`There is no package ${key}. Packages: ${known}.`)
  }
  return found.id
}
