import { and, inArray } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { type Playable, tenureFor, type Viewer } from './entitlements.service.ts'
import { packages } from './entitlements.table.ts'

/**
 * Returns whether a viewer gets advertisements in a title: not a child, nobody with a package that is free of them, and
 * not in a title that was bought or rented.
 *
 * @param adFreePackages keys of the packages that are free of advertisements
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
