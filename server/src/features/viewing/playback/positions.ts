import { desc, eq } from 'drizzle-orm'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { rememberByProfile } from '../../../database/profile-memory.ts'
import { NO_POSITIONS, type Positions } from '../../content/catalogue/catalogue.service.ts'
import { seekPositions } from './playback.table.ts'

/** Maximum number of positions that are read for a profile: the positions in the assets watched last. */
const MOST_ASSETS = 2000

/** Caches the positions of profiles. The commit of a new position evicts the positions of its profile. */
export function rememberPositions(
  db: Database,
  changes: Changes,
): (profileId: number | null) => Promise<Positions> {
  return rememberByProfile(changes, 'positions', NO_POSITIONS, async (profileId) => await load(db, profileId))
}

async function load(db: Database, profileId: number): Promise<Positions> {
  const rows = await db
    .select({
      assetId: seekPositions.assetId,
      seconds: seekPositions.seconds,
      updatedAt: seekPositions.updatedAt,
      removedAt: seekPositions.removedAt,
    })
    .from(seekPositions)
    .where(eq(seekPositions.profileId, profileId))
    .orderBy(desc(seekPositions.updatedAt), desc(seekPositions.assetId))
    .limit(MOST_ASSETS)
  return {
    seconds: new Map(rows.map(({ assetId, seconds }) => [assetId, seconds])),
    watchedAt: new Map(rows.map(({ assetId, updatedAt }) => [assetId, updatedAt])),
    removed: new Set(rows.flatMap(({ assetId, removedAt }) => (removedAt === null ? [] : [assetId]))),
  }
}
