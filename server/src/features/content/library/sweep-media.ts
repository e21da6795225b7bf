import { and, eq, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { removeTrackSetIf } from '../../../segments/segment-store.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import { liveSets, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { copiedSets } from '../../inventory/recorded-programmes/recording-copies.table.ts'
import { bringBack, ownerOf, quarantineUnknown } from '../../inventory/stores/stores.service.ts'
import { medias, trackSets } from '../../inventory/titles/titles.table.ts'
import { keptOrMissing } from '../../inventory/track-sets/track-sets.service.ts'

/** How long viewers can continue to watch a replaced TrackSet, in milliseconds. */
const GRACE_MS = 24 * 3600_000
/** Younger TrackSets may not have a row yet, so the sweep keeps them. In milliseconds. */
const YOUNG_MS = 3600_000
/** Unfinished media older than this is abandoned, because an import ends within a day. In milliseconds. */
const ABANDONED_MS = 2 * 24 * 3600_000

/**
 * Removes TrackSets to which nothing has referred for a day: no media, schedule, advertisement, live channel or copy
 * of a recording. Moves TrackSets without a row into quarantine. Does nothing if the store does not belong to this database.
 *
 * @param fileNow the time by the clock of the store, in milliseconds.
 * @returns the number of removed TrackSets.
 */
export async function sweepMedia(
  context: Pick<Context, 'db' | 'clock' | 'segments' | 'stores' | 'log'>,
  fileNow = Date.now(),
): Promise<number> {
  const { db, clock, segments } = context
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
    // The transaction that deletes the row also sets the TrackSet's files aside. If the process is killed before
    // the commit, the row remains, and the next sweep continues. So no TrackSet is ever without its row.
    const isGone = await removeTrackSetIf(
      segments,
      id,
      async (setAside) =>
        await db.transaction(async (tx) => {
          const gone = await tx
            .delete(trackSets)
            .where(and(eq(trackSets.id, id), isDue))
            .returning({ id: trackSets.id })
          if (gone.length === 0) return await keptOrMissing(tx, id)
          await setAside()
          return 'removed'
        }),
    )
    if (isGone) removed++
  }
  await segments.clear(fileNow - ABANDONED_MS, async (ids) => await store.named(db, ids))
  await quarantineUnknown(context, store, fileNow - YOUNG_MS)
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
      db.select({ id: adCreatives.id }).from(adCreatives).where(eq(adCreatives.trackSetId, trackSets.id)),
    ),
    notExists(
      db.select({ position: liveSets.position }).from(liveSets).where(eq(liveSets.trackSetId, trackSets.id)),
    ),
    notExists(
      db
        .select({ position: copiedSets.position })
        .from(copiedSets)
        .where(eq(copiedSets.trackSetId, trackSets.id)),
    ),
  )
}
