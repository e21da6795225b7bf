import { desc, eq } from 'drizzle-orm'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { rememberByProfile } from '../../../database/profile-memory.ts'
import { type Kept, NOTHING_KEPT } from '../catalogue/catalogue.service.ts'
import { favourites } from './favourites.table.ts'

/** Maximum number of favourites that are read for a profile, newest first. */
const MOST_KEPT = 2000

/** Caches the favourites of profiles. A committed change of a profile's favourites removes them from the cache. */
export function rememberFavourites(
  db: Database,
  changes: Changes,
): (profileId: number | null) => Promise<Kept> {
  return rememberByProfile(
    changes,
    'favourites',
    NOTHING_KEPT,
    async (profileId) => await load(db, profileId),
  )
}

async function load(db: Database, profileId: number): Promise<Kept> {
  const rows = await db
    .select()
    .from(favourites)
    .where(eq(favourites.profileId, profileId))
    .orderBy(desc(favourites.id))
    .limit(MOST_KEPT)
  return {
    channelIds: rows.flatMap(({ channelId }) => channelId ?? []),
    titles: rows.flatMap(({ assetId, categoryId }): Kept['titles'] => {
      if (assetId !== null) return [{ assetId }]
      return categoryId === null ? [] : [{ categoryId }]
    }),
  }
}
