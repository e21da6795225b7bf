import { inArray } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import {
  bringBack,
  dropForgotten,
  ownerOf,
  quarantineUnknown,
} from '../../inventory/stores/stores.service.ts'
import { forgottenImages } from '../../inventory/stores/stores.table.ts'

/**
 * Minimum age of a picture that may be removed, in milliseconds. A newer picture may get its row in the database
 * soon.
 */
const YOUNG_MS = 3600_000
const BATCH = 1000

/**
 * Removes pictures that rows of this database no longer use. Moves pictures that no row ever used into quarantine.
 * Does not touch the picture store of another database.
 *
 * @param now time by the clock of the file system, in milliseconds.
 * @returns the number of removed pictures.
 */
export async function sweepPictures(
  context: Pick<Context, 'db' | 'images' | 'stores' | 'log'>,
  now = Date.now(),
): Promise<number> {
  const { db, images } = context
  const store = context.stores.images
  if ((await ownerOf(db, store)) !== 'ours') return 0
  await bringBack(context, store)

  const before = now - YOUNG_MS
  const stored = await store.entries.list()
  let removed = 0
  for (let first = 0; first < stored.length; first += BATCH) {
    const some = stored.slice(first, first + BATCH)
    const named = new Set(await store.named(db, some))
    const forgotten = await db.select().from(forgottenImages).where(inArray(forgottenImages.id, some))
    for (const { id, forgottenAt } of forgotten) {
      // Keep a picture that was stored again after its last reference was removed: it may be in use.
      if (!named.has(id) && (await images.remove(id, Math.min(before, forgottenAt)))) removed++
    }
  }
  await quarantineUnknown(context, store, before)
  // Each of these pictures is now removed, in use again, or in quarantine.
  await dropForgotten(db, before)
  return removed
}
