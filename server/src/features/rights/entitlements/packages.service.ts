import { and, eq, exists, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { packageAssets, packageCategories, packageChannels, packages } from './entitlements.table.ts'

/**
 * Creates the package with this `key` if it is missing, and updates its names and its recording time, if given.
 *
 * @returns the id of the package
 */
export async function ensurePackage(
  db: Database | Transaction,
  key: string,
  names: LocalisedText,
  recordingHours?: number,
): Promise<number> {
  const set = { names, ...(recordingHours !== undefined && { recordingHours }) }
  const [row] = await db
    .insert(packages)
    .values({ key, ...set })
    .onConflictDoUpdate({ target: packages.key, set })
    .returning({ id: packages.id })
  if (!row) throw new Error('The package was not stored.')
  return row.id
}

/** Adds an asset to a package; does nothing if the package contains it already. */
export async function putAssetInPackage(db: Database, packageId: number, assetId: number): Promise<void> {
  await db.insert(packageAssets).values({ packageId, assetId }).onConflictDoNothing()
}

/** Adds an asset to all packages that contain one of the assets `otherIds`. @returns the keys of the added packages */
export async function joinPackagesOf(
  tx: Transaction,
  otherIds: readonly number[],
  assetId: number,
): Promise<string[]> {
  if (otherIds.length === 0) return []
  const joined = await tx
    .select({ packageId: packages.id, key: packages.key })
    .from(packages)
    .where(
      exists(
        tx
          .select({ one: sql`1` })
          .from(packageAssets)
          .where(
            and(eq(packageAssets.packageId, packages.id), inArray(packageAssets.assetId, [...otherIds])),
          ),
      ),
    )
    .orderBy(packages.key)
  for (const { packageId } of joined) await putAssetInPackage(tx, packageId, assetId)
  return joined.map(({ key }) => key)
}

/** Adds channels to a package; does nothing for channels that are already in it. */
export async function putChannelsInPackage(
  db: Database,
  packageId: number,
  channelIds: readonly number[],
): Promise<void> {
  if (channelIds.length === 0) return
  const rows = channelIds.map((channelId) => ({ packageId, channelId }))
  await db.insert(packageChannels).values(rows).onConflictDoNothing()
}

/**
 * Ids of the content of a package. Films and events are assets. Categories are series or seasons, with all their
 * episodes.
 */
export interface PackageContent {
  assetIds: readonly number[]
  categoryIds: readonly number[]
  channelIds: readonly number[]
}

/** Replaces the content of a package. */
export async function fillPackage(
  tx: Transaction,
  packageId: number,
  { assetIds, categoryIds, channelIds }: PackageContent,
): Promise<void> {
  const not = (column: AnyPgColumn, ids: readonly number[]) =>
    ids.length === 0 ? undefined : notInArray(column, [...ids])
  const holds = exists(
    tx
      .select({ one: sql`1` })
      .from(packageCategories)
      .innerJoin(assets, eq(assets.id, packageAssets.assetId))
      .where(
        and(
          eq(packageCategories.packageId, packageId),
          or(
            eq(packageCategories.categoryId, assets.serieId),
            eq(packageCategories.categoryId, assets.seasonId),
          ),
        ),
      ),
  )
  await tx
    .delete(packageCategories)
    .where(and(eq(packageCategories.packageId, packageId), not(packageCategories.categoryId, categoryIds)))
  await tx
    .delete(packageAssets)
    .where(
      and(eq(packageAssets.packageId, packageId), not(packageAssets.assetId, assetIds), sql`not ${holds}`),
    )
  await tx
    .delete(packageChannels)
    .where(and(eq(packageChannels.packageId, packageId), not(packageChannels.channelId, channelIds)))
  if (assetIds.length > 0)
    await tx
      .insert(packageAssets)
      .values(assetIds.map((assetId) => ({ packageId, assetId })))
      .onConflictDoNothing()
  if (categoryIds.length > 0)
    await tx
      .insert(packageCategories)
      .values(categoryIds.map((categoryId) => ({ packageId, categoryId })))
      .onConflictDoNothing()
  if (channelIds.length > 0)
    await tx
      .insert(packageChannels)
      .values(channelIds.map((channelId) => ({ packageId, channelId })))
      .onConflictDoNothing()
}

/** Returns whether a title is in one of these packages. */
export async function standsInPackages(
  db: Database | Transaction,
  assetId: number,
  packageIds: readonly number[],
): Promise<boolean> {
  const found = await db
    .select({ id: packageAssets.packageId })
    .from(packageAssets)
    .where(and(eq(packageAssets.assetId, assetId), inArray(packageAssets.packageId, [...packageIds])))
    .limit(1)
  return found.length > 0
}

/**
 * Returns the ids of the packages that contain each channel, by channel id. `channelId` restricts the result to
 * one channel. Channels in no package have no entry.
 */
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

/** Returns SQL for the total recording time of these packages, in milliseconds. */
export function recordingTimeIn(packageIds: Iterable<number>): SQL<number> {
  return sql<number>`(
    select coalesce(sum(${packages.recordingHours}), 0) * 3600000 from ${packages}
    where ${oneOf(packages.id, [...packageIds])})::float8`
}

/** Returns the total recording time of these packages, in milliseconds. */
export async function recordingTimeOf(db: Database, packageIds: Iterable<number>): Promise<number> {
  const [row] = await db.select({ time: recordingTimeIn(packageIds) }).from(sql`(select 1) as one`)
  return row?.time ?? 0
}
