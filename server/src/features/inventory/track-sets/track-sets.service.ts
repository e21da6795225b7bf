import type { TrackSet } from '@ondine/media/track-set'
import { eq, inArray } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { RowRemoval } from '../../../segments/segment-store.ts'
import { trackSets } from '../titles/titles.table.ts'

/** TrackSets in memory. A TrackSet that has stopped growing never changes, so it is read only once. */
export interface TrackSetStore {
  /** Returns a TrackSet; undefined if no TrackSet has that id. */
  get(id: string): Promise<TrackSet | undefined>
  /**
   * Returns a TrackSet that contains what a caller needs, such as a segment. While a TrackSet of a live channel grows,
   * the database is read only if the document in memory does not contain it yet.
   *
   * @returns the newest document if none contains it; undefined if no TrackSet has that id
   */
  getContaining(id: string, contains: (trackSet: TrackSet) => boolean): Promise<TrackSet | undefined>
  /** Returns the TrackSets with these ids, keyed by id. Leaves out ids that do not exist. */
  getAll(ids: Iterable<string>): Promise<Map<string, TrackSet>>
}

/** Maximum number of TrackSets in memory. The TrackSet of a film needs a few kilobytes. */
const LARGEST_STORE = 5000
/** The same for growing TrackSets. A live channel has one. */
const MOST_GROWING = 1000

export function createTrackSetStore(db: Database): TrackSetStore {
  const known = new LRUCache<string, TrackSet>({ max: LARGEST_STORE })
  /** The newest documents of growing TrackSets that were read. */
  const growing = new LRUCache<string, TrackSet>({ max: MOST_GROWING })

  async function getAll(ids: Iterable<string>): Promise<Map<string, TrackSet>> {
    const found = new Map<string, TrackSet>()
    const missing = new Set<string>()
    for (const id of ids) {
      const trackSet = known.get(id)
      if (trackSet) found.set(id, trackSet)
      else missing.add(id)
    }
    if (missing.size > 0) {
      const rows = await db
        .select({ id: trackSets.id, document: trackSets.document, isGrowing: trackSets.isGrowing })
        .from(trackSets)
        .where(inArray(trackSets.id, [...missing]))
      for (const { id, document, isGrowing } of rows) {
        if (isGrowing) growing.set(id, document)
        else {
          known.set(id, document)
          growing.delete(id)
        }
        found.set(id, document)
      }
    }
    return found
  }

  const get = async (id: string): Promise<TrackSet | undefined> =>
    known.get(id) ?? (await getAll([id])).get(id)

  return {
    getAll,
    get,
    getContaining: async (id, contains) => {
      const grown = growing.get(id)
      return grown && contains(grown) ? grown : await get(id)
    },
  }
}

/**
 * Returns the content key of a TrackSet, 16 bytes. Undefined for unencrypted media, or if the TrackSet does not
 * exist. The key is never cached.
 */
export async function findContentKey(db: Database, trackSetId: string): Promise<Buffer | undefined> {
  const [row] = await db.select({ key: trackSets.key }).from(trackSets).where(eq(trackSets.id, trackSetId))
  return row?.key ?? undefined
}

/**
 * For a TrackSet whose row this transaction could not delete: returns `kept` if the row still exists, else
 * `missing`. Waits for another transaction that is deleting the row.
 */
export async function keptOrMissing(tx: Transaction, id: string): Promise<RowRemoval> {
  const rows = await tx
    .select({ id: trackSets.id })
    .from(trackSets)
    .where(eq(trackSets.id, id))
    .for('key share')
  return rows.length > 0 ? 'kept' : 'missing'
}
