import { eq } from 'drizzle-orm'
import type { Texts } from '../../database/columns.ts'
import type { Database } from '../../database/connection.ts'
import { packageAssets, packageChannels, packages } from './entitlements.table.ts'

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
