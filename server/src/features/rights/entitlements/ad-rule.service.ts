import { and, inArray } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import type { Playable, Viewer } from './entitlements.service.ts'
import { packages } from './entitlements.table.ts'
import { tenureOf } from './owned.service.ts'

/**
 * Returns whether a viewer gets advertisements in a title or on a channel. Children get no advertisements. Viewers
 * with an ad-free package get none either. Bought or rented content has no advertisements, even if a package also
 * includes it.
 *
 * @param adFreePackages keys of the packages without advertisements
 */
export async function getsAds(
  db: Database,
  viewer: Viewer,
  playable: Pick<Playable, 'kind' | 'id' | 'serieId' | 'seasonId'>,
  adFreePackages: readonly string[],
): Promise<boolean> {
  const { kind, id, serieId = null, seasonId = null } = playable
  const isBought =
    kind === 'channel'
      ? viewer.owned.channels.has(id)
      : tenureOf(viewer.owned, { id, serieId, seasonId }) !== undefined
  if (viewer.kid || isBought) return false
  if (adFreePackages.length === 0 || viewer.packageIds.size === 0) return true
  const [held] = await db
    .select({ id: packages.id })
    .from(packages)
    .where(and(inArray(packages.key, [...adFreePackages]), inArray(packages.id, [...viewer.packageIds])))
    .limit(1)
  return held === undefined
}
