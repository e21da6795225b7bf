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

/** Viewers of a replaced TrackSet can continue for this long, in milliseconds. */
const GRACE_MS = 24 * 3600_000
/** A TrackSet that is younger than this may get its row soon, so it is kept. In milliseconds. */
const YOUNG_MS = 3600_000
/** Unfinished media that is older was left behind by a process: an import ends after a day. In milliseconds. */
const ABANDONED_MS = 2 * 24 * 3600_000

/**
 * Removes TrackSets that no media, no schedule, no advertisement, no live channel and no recording's copy has referred
 * to for a day. Moves TrackSets without a row into quarantine. Does not touch the store of another database.
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
    // The TrackSet is set aside in the transaction that deletes its row. If the process is killed before the commit,
    // the row remains, and the next sweep continues. So there is never a TrackSet without its row.
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
