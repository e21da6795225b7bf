import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inArray } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import type { Entries } from '../../../segments/entries.ts'
import { folderEntries, idsIn, namesIn } from '../../../segments/folder-entries.ts'
import { images, medias, trackSets } from '../titles/titles.table.ts'

/** A store of files whose entries correspond to database rows. */
export interface Store {
  name: 'media' | 'images'
  entries: Entries
  /** Returns those of `ids` to which a database row refers. */
  named(db: Database, ids: readonly string[]): Promise<string[]>
  /** Returns the ids to which titles, channels and texts refer, so that an import can store a lost entry again. */
  imported(db: Database): Promise<string[]>
}

/** Maximum number of ids in one database query. */
const BATCH = 1000

/** The stores of the installation. */
export interface Stores {
  media: Store
  images: Store
}

/** Returns those of `ids` to which a feature's rows refer. The caller limits the number of ids for one query. */
export type NamedBy = (db: Database, ids: string[]) => Promise<string[]>

/** Returns the store of TrackSets. */
export function mediaStore(entries: Entries): Store {
  return {
    name: 'media',
    entries,
    named: async (db, ids) =>
      await inBatches(ids, async (some) => {
        const rows = await db.select({ id: trackSets.id }).from(trackSets).where(inArray(trackSets.id, some))
        return rows.map(({ id }) => id)
      }),
    imported: async (db) => {
      const rows = await db.selectDistinct({ id: medias.trackSetId }).from(medias)
      return rows.map(({ id }) => id)
    },
  }
}

/**
 * Returns the store of pictures. The age of an entry counts from the modification time of its folder. Storing the
 * same picture again updates the modification time.
 *
 * @param namedBy functions of the higher features whose tables refer to pictures
 */
export function imagesStore(folder: string, namedBy: readonly NamedBy[]): Store {
  return {
    name: 'images',
    entries: folderEntries(folder, {
      pathOf: (id) => join(folder, id.slice(0, 2), id),
      list: async () => {
        const found: string[] = []
        for (const shelf of await namesIn(folder)) {
          if (!/^[0-9a-f]{2}$/.test(shelf)) continue
          found.push(...(await idsIn(join(folder, shelf))).filter((id) => id.startsWith(shelf)))
        }
        return found
      },
      storedAt: async (path) => (await stat(path)).mtimeMs,
    }),
    named: async (db, ids) =>
      await inBatches(ids, async (some) => {
        const ofCatalogue = await db.select({ id: images.id }).from(images).where(inArray(images.id, some))
        const ids = ofCatalogue.map(({ id }) => id)
        for (const named of namedBy) ids.push(...(await named(db, some)))
        return ids
      }),
    imported: async (db) => {
      const rows = await db.select({ id: images.id }).from(images)
      return rows.map(({ id }) => id)
    },
  }
}

async function inBatches(
  ids: readonly string[],
  look: (some: string[]) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (let first = 0; first < ids.length; first += BATCH)
    found.push(...(await look(ids.slice(first, first + BATCH))))
  return [...new Set(found)]
}
