import { eq } from 'drizzle-orm'
import type { Texts } from '../../database/columns.ts'
import type { Database } from '../../database/connection.ts'
import { accountPackages, packageAssets, packageChannels, packages } from './entitlements.table.ts'

/** Statuses of what an account holds (A4.1). */
export const HOLDING = { active: 10, pendingPayment: 20, cancelled: 40, ordered: 60 } as const

/** A cancelled subscription is paid for until its end: it does not renew, but it plays (decision 34). */
export const GIVES_ACCESS: number[] = [HOLDING.active, HOLDING.cancelled]

/** The id of the package named `key`, which is made where it is missing; its names are brought up to date. */
export async function ensurePackage(db: Database, key: string, names: Texts): Promise<number> {
  const [row] = await db
    .insert(packages)
    .values({ key, names })
    .onConflictDoUpdate({ target: packages.key, set: { names } })
    .returning({ id: packages.id })
  if (!row) throw new Error('The package was not stored.')
  return row.id
}

/** How long an account holds a package, in milliseconds since the Unix epoch, and how that stands. */
export interface Term {
  from: number
  /** Null: until further notice. */
  to: number | null
  statusId?: (typeof HOLDING)[keyof typeof HOLDING]
}

/** Gives an account a package; an earlier term of the same package is replaced. */
export async function grantPackage(
  db: Database,
  accountId: number,
  packageId: number,
  { from, to, statusId = HOLDING.active }: Term,
): Promise<void> {
  const term = { validFrom: from, validTo: to, statusId }
  await db
    .insert(accountPackages)
    .values({ accountId, packageId, ...term })
    .onConflictDoUpdate({ target: [accountPackages.accountId, accountPackages.packageId], set: term })
}

/** Puts an asset into a package; twice is no error. */
export async function putAssetInPackage(db: Database, packageId: number, assetId: number): Promise<void> {
  await db.insert(packageAssets).values({ packageId, assetId }).onConflictDoNothing()
}

/** Puts channels into a package; twice is no error. */
export async function putChannelsInPackage(
  db: Database,
  packageId: number,
  channelIds: readonly number[],
): Promise<void> {
  if (channelIds.length === 0) return
  const rows = channelIds.map((channelId) => ({ packageId, channelId }))
  await db.insert(packageChannels).values(rows).onConflictDoNothing()
}

/** The packages of each channel, or of one; a channel in none has no entry. */
export async function packagesOfChannels(db: Database, channelId?: number): Promise<Map<number, number[]>> {
  const rows = await db
    .select({ id: packageChannels.channelId, packageId: packageChannels.packageId })
    .from(packageChannels)
    .where(channelId === undefined ? undefined : eq(packageChannels.channelId, channelId))
  return grouped(rows)
}

function grouped(rows: { id: number; packageId: number }[]): Map<number, number[]> {
  const all = new Map<number, number[]>()
  for (const { id, packageId } of rows) {
    const known = all.get(id)
    if (known) known.push(packageId)
    else all.set(id, [packageId])
  }
  return all
}
