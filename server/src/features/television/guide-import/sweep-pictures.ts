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
 * A picture that was stored less than this long ago may get its row in the database soon, so it is kept. In
 * milliseconds.
 */
const YOUNG_MS = 3600_000
const BATCH = 1000

/**
 * Removes pictures to which a row of this database once referred but no longer does. Moves pictures to which
 * no row ever referred into quarantine. Does not touch the store of another database.
 *
 * @param now the time by the clock of the file system, in milliseconds.
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
      // A picture that was stored again after its last reference was removed may be in use.
      if (!named.has(id) && (await images.remove(id, Math.min(before, forgottenAt)))) removed++
    }
  }
  await quarantineUnknown(context, store, before)
  // Each of these pictures has been removed, is in use again, or is in quarantine.
  await dropForgotten(db, before)
  return removed
}
