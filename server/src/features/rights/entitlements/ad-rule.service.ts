import { and, inArray } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import type { Playable, Viewer } from './entitlements.service.ts'
import { packages } from './entitlements.table.ts'
import { tenureOf } from './owned.service.ts'

/**
 * Returns whether a viewer gets advertisements in a title: not a child, nobody with a package that is free of them, and
 * not in a title that was bought or rented, even if a package includes it too.
 *
 * @param adFreePackages keys of the ad-free packages
 */
export async function getsAds(
  db: Database,
  viewer: Viewer,
  playable: Playable,
  adFreePackages: readonly string[],
): Promise<boolean> {
  const { id, serieId = null, seasonId = null } = playable
  if (viewer.kid || tenureOf(viewer.owned, { id, serieId, seasonId })) return false
  if (adFreePackages.length === 0 || viewer.packageIds.size === 0) return true
  const [held] = await db
    .select({ id: packages.id })
    .from(packages)
    .where(and(inArray(packages.key, [...adFreePackages]), inArray(packages.id, [...viewer.packageIds])))
    .limit(1)
  return held === undefined
}
