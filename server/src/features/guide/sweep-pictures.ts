import { inArray } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { images } from '../catalogue/catalogue.table.ts'
import { guidePictures } from './guide.table.ts'

/** A picture that was stored so lately may be about to get its row, in milliseconds. */
export const YOUNG_MS = 3600_000
const BATCH = 1000

/**
 * Removes stored pictures that no row names: a kill between storing and noting leaves them behind, and so does one between
 * forgetting and removing. Where no row names any picture at all, the database is another one than that of the pictures, and all stay.
 *
 * @param now by the clock of the file system, in milliseconds.
 * @returns how many.
 */
export async function sweepPictures(
  { db, images: store }: Pick<Context, 'db' | 'images'>,
  now = Date.now(),
): Promise<number> {
  if ((await db.$count(images)) + (await db.$count(guidePictures)) === 0) return 0
  const before = now - YOUNG_MS
  const old = await store.storedBefore(before)
  let swept = 0
  for (let first = 0; first < old.length; first += BATCH) {
    const some = old.slice(first, first + BATCH)
    const named = new Set<string>()
    const ofCatalogue = await db.select({ id: images.id }).from(images).where(inArray(images.id, some))
    const ofGuides = await db
      .select({ id: guidePictures.imageId })
      .from(guidePictures)
      .where(inArray(guidePictures.imageId, some))
    for (const { id } of [...ofCatalogue, ...ofGuides]) named.add(id)
    for (const id of some) {
      if (!named.has(id) && (await store.remove(id, before))) swept++
    }
  }
  return swept
}
