import { desc, eq } from 'drizzle-orm'
import type { Changes } from '../../database/changes.ts'
import type { Database } from '../../database/connection.ts'
import { seekPositions } from './playback.table.ts'

/** Where a profile stopped in everything that it has begun. */
export interface Positions {
  /** Seconds by asset, the last watched first. */
  seconds: ReadonlyMap<number, number>
}

/** Of nobody. */
export const NO_POSITIONS: Positions = { seconds: new Map() }

/** Most profiles whose positions are remembered at once. */
const MOST_PROFILES = 20_000
/** Most assets of a profile, the last watched ones. */
const MOST_ASSETS = 2000

/** Remembers where profiles stopped; what is stored anew is forgotten as it is committed. */
export function rememberPositions(
  db: Database,
  changes: Changes,
): (profileId: number | null) => Promise<Positions> {
  const known = new Map<number, Promise<Positions>>()
  changes.on('positions', (ids) => {
    if (ids === null) known.clear()
    else for (const id of ids) known.delete(id)
  })
  return async (profileId) => {
    if (profileId === null) return NO_POSITIONS
    const remembered = known.get(profileId)
    if (remembered) return await remembered
    const loading = load(db, profileId)
    if (known.size >= MOST_PROFILES) known.delete(known.keys().next().value ?? 0)
    known.set(profileId, loading)
    try {
      return await loading
    } catch (error) {
      if (known.get(profileId) === loading) known.delete(profileId)
      throw error
    }
  }
}

async function load(db: Database, profileId: number): Promise<Positions> {
  const rows = await db
    .select({ assetId: seekPositions.assetId, seconds: seekPositions.seconds })
    .from(seekPositions)
    .where(eq(seekPositions.profileId, profileId))
    .orderBy(desc(seekPositions.updatedAt), desc(seekPositions.assetId))
    .limit(MOST_ASSETS)
  return { seconds: new Map(rows.map(({ assetId, seconds }) => [assetId, seconds])) }
}
