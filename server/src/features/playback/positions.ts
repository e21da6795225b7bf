import { desc, eq } from 'drizzle-orm'
import type { Changes } from '../../database/changes.ts'
import type { Database } from '../../database/connection.ts'
import { rememberByProfile } from '../../database/profile-memory.ts'
import { seekPositions } from './playback.table.ts'

/** Where a profile stopped in everything that it has begun. */
export interface Positions {
  /** Seconds by asset, the last watched first. */
  seconds: ReadonlyMap<number, number>
  /** Assets that the profile took out of what it goes on watching. */
  removed: ReadonlySet<number>
}

/** Of nobody. */
export const NO_POSITIONS: Positions = { seconds: new Map(), removed: new Set() }

/** Most assets of a profile, the last watched ones. */
const MOST_ASSETS = 2000

/** Remembers where profiles stopped; what is stored anew is forgotten as it is committed. */
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
      removed: seekPositions.removed,
    })
    .from(seekPositions)
    .where(eq(seekPositions.profileId, profileId))
    .orderBy(desc(seekPositions.updatedAt), desc(seekPositions.assetId))
    .limit(MOST_ASSETS)
  return {
    seconds: new Map(rows.map(({ assetId, seconds }) => [assetId, seconds])),
    removed: new Set(rows.flatMap(({ assetId, removed }) => (removed ? [assetId] : []))),
  }
}
