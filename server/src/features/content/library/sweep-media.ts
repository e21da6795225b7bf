import { and, eq, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { setTrackSetAside } from '../../../ingest/ingest.ts'
import { discardAside } from '../../../ingest/workspace.ts'
import { liveSets, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { bringBack, ownerOf, quarantineUnknown } from '../../inventory/stores/stores.service.ts'
import { medias, trackSets } from '../../inventory/titles/titles.table.ts'

/** Viewers of a replaced TrackSet can continue for this long, in milliseconds. */
const GRACE_MS = 24 * 3600_000
/** A folder that is younger than this may get its row soon, so it is kept. In milliseconds. */
const YOUNG_MS = 3600_000

/**
 * Removes TrackSets that no media, no schedule and no live channel has referred to for a day. Moves folders without a row into
 * quarantine. Does not touch the store of another database.
 *
 * @param fileNow the time by the clock of the file system, in milliseconds.
 * @returns the number of removed TrackSets.
 */
export async function sweepMedia(
  context: Pick<Context, 'db' | 'clock' | 'folders' | 'stores' | 'log'>,
  fileNow = Date.now(),
): Promise<number> {
  const { db, clock, folders } = context
  const store = context.stores.media
  if ((await ownerOf(db, store)) !== 'ours') return 0
  await bringBack(context, store)

  const now = clock.now()
  const unused = isUnused(db)
  await db
    .update(trackSets)
    .set({ unusedSince: null })
    .where(and(isNotNull(trackSets.unusedSince), sql`not (${unused})`))
  await db
    .update(trackSets)
    .set({ unusedSince: now })
    .where(and(isNull(trackSets.unusedSince), unused))
  const isDue = and(lt(trackSets.unusedSince, now - GRACE_MS), unused)
  let removed = 0
  for (const { id } of await db.select({ id: trackSets.id }).from(trackSets).where(isDue)) {
    // The folder is set aside in the transaction that deletes its row. If the process is killed before the commit,
    // the row remains, and the next sweep continues. So there is never a folder without its row.
    const aside = await db.transaction(async (tx) => {
      const gone = await tx
        .delete(trackSets)
        .where(and(eq(trackSets.id, id), isDue))
        .returning({ id: trackSets.id })
      return gone.length > 0 ? await setTrackSetAside(folders.media, id) : undefined
    })
    if (aside === undefined) continue
    await discardAside(aside)
    removed++
  }
  await quarantineUnknown(context, store, await store.list(fileNow - YOUNG_MS))
  return removed
}

function isUnused(db: Database) {
  return and(
    notExists(db.select({ id: medias.id }).from(medias).where(eq(medias.trackSetId, trackSets.id))),
    notExists(
      db
        .select({ position: scheduleEntries.position })
        .from(scheduleEntries)
        .where(eq(scheduleEntries.trackSetId, trackSets.id)),
    ),
    notExists(
      db.select({ position: liveSets.position }).from(liveSets).where(eq(liveSets.trackSetId, trackSets.id)),
    ),
  )
}
