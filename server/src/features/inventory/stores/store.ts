import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inArray } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { isErrno } from '../../../is-errno.ts'
import { images, trackSets } from '../titles/titles.table.ts'

/** Folder of `DATA_DIR` whose entries correspond to rows of the database. */
export interface Store {
  name: 'media' | 'images'
  folder: string
  pathOf(id: string): string
  /**
   * Returns the ids of all entries. With `before`, returns only the entries older than this time, in milliseconds
   * by the clock of the file system.
   */
  list(before?: number): Promise<string[]>
  /** Returns the ids, out of `ids`, to which a row of the database refers. */
  named(db: Database, ids: readonly string[]): Promise<string[]>
}

const ID = /^[0-9a-f]{32}$/
const QUARANTINE = '.quarantine'
/** Ids per query. */
const BATCH = 1000

/** The stores of the installation. */
export interface Stores {
  media: Store
  images: Store
}

/**
 * Returns the ids, out of `ids`, to which the rows of a feature refer. `ids` are few enough for one query.
 */
export type NamedBy = (db: Database, ids: string[]) => Promise<string[]>

/**
 * Returns the store of TrackSets. The age of an entry is counted from the change time of its folder. Publishing
 * renames the folder, which sets this time.
 */
export function mediaStore(folder: string): Store {
  const pathOf = (id: string): string => join(folder, id)
  return {
    name: 'media',
    folder,
    pathOf,
    list: async (before = Infinity) =>
      await olderThan(before, await idsIn(folder), async (id) => (await stat(pathOf(id))).ctimeMs),
    named: async (db, ids) =>
      await inBatches(ids, async (some) => {
        const rows = await db.select({ id: trackSets.id }).from(trackSets).where(inArray(trackSets.id, some))
        return rows.map(({ id }) => id)
      }),
  }
}

/**
 * Returns the store of pictures. The age of an entry is counted from the modification time of its folder, which is
 * set again when the same picture is stored again.
 *
 * @param namedBy functions of the higher features whose tables refer to pictures
 */
export function imagesStore(folder: string, namedBy: readonly NamedBy[]): Store {
  const pathOf = (id: string): string => join(folder, id.slice(0, 2), id)
  return {
    name: 'images',
    folder,
    pathOf,
    list: async (before = Infinity) => {
      const found: string[] = []
      for (const shelf of await namesIn(folder)) {
        if (!/^[0-9a-f]{2}$/.test(shelf)) continue
        const ids = (await idsIn(join(folder, shelf))).filter((id) => id.startsWith(shelf))
        found.push(...(await olderThan(before, ids, async (id) => (await stat(pathOf(id))).mtimeMs)))
      }
      return found
    },
    named: async (db, ids) =>
      await inBatches(ids, async (some) => {
        const ofCatalogue = await db.select({ id: images.id }).from(images).where(inArray(images.id, some))
        const ids = ofCatalogue.map(({ id }) => id)
        for (const named of namedBy) ids.push(...(await named(db, some)))
        return ids
      }),
  }
}

/** Returns the ids in the store's quarantine. */
export async function quarantined(store: Store): Promise<string[]> {
  return await idsIn(join(store.folder, QUARANTINE))
}

export function quarantinePath(store: Store, id: string): string {
  return join(store.folder, QUARANTINE, id)
}

/**
 * Moves an entry into quarantine. @returns whether it was moved; false if it no longer exists, or if the
 * quarantine has an entry with the same id
 */
export async function putInQuarantine(store: Store, id: string): Promise<boolean> {
  await mkdir(join(store.folder, QUARANTINE), { recursive: true, mode: 0o750 })
  return await moved(store.pathOf(id), quarantinePath(store, id))
}

/** Moves an entry out of quarantine, unless it is in the store again. */
export async function takeOutOfQuarantine(store: Store, id: string): Promise<boolean> {
  await mkdir(join(store.pathOf(id), '..'), { recursive: true, mode: 0o750 })
  return await moved(quarantinePath(store, id), store.pathOf(id))
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

async function olderThan(
  before: number,
  ids: readonly string[],
  ageOf: (id: string) => Promise<number>,
): Promise<string[]> {
  if (before === Infinity) return [...ids]
  const found: string[] = []
  for (const id of ids) {
    const at = await unlessMissing(ageOf(id))
    if (at !== undefined && at < before) found.push(id)
  }
  return found
}

async function idsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => ID.test(name))
}

async function namesIn(folder: string): Promise<string[]> {
  return (await unlessMissing(readdir(folder))) ?? []
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

async function unlessMissing<Found>(look: Promise<Found>): Promise<Found | undefined> {
  try {
    return await look
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}
