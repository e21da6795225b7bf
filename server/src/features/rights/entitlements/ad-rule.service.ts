import { and, inArray } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { type Playable, tenureFor, type Viewer } from './entitlements.service.ts'
import { packages } from './entitlements.table.ts'

/**
 * Returns whether a viewer gets advertisements in a title. Children get none, nor do holders of an ad-free package, nor
 * viewers who rented or bought the title.
 *
 * @param adFreePackages keys of the ad-free packages
 */
export async function getsAds(
  db: Database,
  viewer: Viewer,
  playable: Playable,
  adFreePackages: readonly string[],
): Promise<boolean> {
  if (viewer.kid || tenureFor(viewer, playable)) return false
  if (adFreePackages.length === 0 || viewer.packageIds.size === 0) return true
  const [held] = await db
    .select({ id: packages.id })
    .from(packages)
    .where(and(inArray(packages.key, [...adFreePackages]), inArray(packages.id, [...viewer.packageIds])))
    .limit(1)
  return held === undefined
}
