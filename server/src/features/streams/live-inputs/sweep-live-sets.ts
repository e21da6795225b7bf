import { LIVE_WINDOW_SECONDS } from '@ondine/media/window'
import { and, eq, exists, gt, isNull, lt, max, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { removeTrackSetIf } from '../../../segments/segment-store.ts'
import { channels, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { isUnpinned, lockPins } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import { ownerOf } from '../../inventory/stores/stores.service.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { keptOrMissing } from '../../inventory/track-sets/track-sets.service.ts'
import { endSet, findAbandoned } from './live-sets.repository.ts'

/** Media is kept for this long beyond the longest time-shift, in seconds, for players that lag behind. */
const SPARE_SECONDS = LIVE_WINDOW_SECONDS + 5 * 60
/** Longest TrackSet of a live input, in milliseconds. */
export const LONGEST_SET_MS = 5 * 60_000

/** Maximum number of TrackSets that one sweep removes. */
const BATCH = 500
/** Number of failures in a row that end a sweep: the store or the database probably does not answer. */
const MOST_FAILURES = 5

type Parts = Pick<Context, 'db' | 'segments' | 'stores' | 'storefronts' | 'configurations' | 'log'>

/**
 * Returns whether a later sweep may have media of live inputs to remove: a TrackSet that still grows, or that has
 * a successor.
 */
export async function hasLiveSets(db: Database): Promise<boolean> {
  const rows = await db
    .select({ position: liveSets.position })
    .from(liveSets)
    .where(or(isNull(liveSets.endsAt), hasSuccessor(db)))
    .limit(1)
  return rows.length > 0
}

/** Returns the time of the database's clock, in milliseconds since the Unix epoch. */
export async function databaseTime(db: Database): Promise<number> {
  const now = sql`extract(epoch from clock_timestamp()) * 1000`.mapWith(Number)
  const [row] = await db.select({ now }).from(sql`(select 1) as one`)
  if (!row) throw new Error('The database does not tell the time.')
  return Math.floor(row.now)
}

/**
 * Removes the TrackSets of live inputs that no viewer can reach any more. They are older than the longest
 * time-shift of all storefronts and channels, and no recording pins them. The newest TrackSet of each channel
 * remains, because the next TrackSet continues its sequence numbers.
 *
 * @param now milliseconds since the Unix epoch, by the clock of the database. A process with a fast clock would
 * remove media that viewers watch
 * @returns the number of removed TrackSets
 */
export async function sweepLiveSets(context: Parts, now: number): Promise<number> {
  const { db, segments, stores } = context
  if ((await ownerOf(db, stores.media)) !== 'ours') return 0
  const before = now - (await longestReach(context)) * 1000
  // The processes of these TrackSets were killed, and no other process received the inputs afterwards.
  await attemptEach(context, await findAbandoned(db, before - 2 * LONGEST_SET_MS), async (set) => {
    await db.transaction(async (tx) => await endSet(tx, set))
  })
  const { trackSetId, channelId, startsAt, endsAt } = liveSets
  const isOld = and(
    lt(endsAt, before),
    isUnpinned(db, { channelId, from: startsAt, to: endsAt }),
    hasSuccessor(db),
  )
  const due = await db
    .select({ trackSetId, channelId })
    .from(liveSets)
    .where(isOld)
    // In a random order, so that TrackSets that can never be removed do not keep the others from their turn.
    .orderBy(sql`random()`)
    .limit(BATCH)
  let removed = 0
  await attemptEach(context, due, async ({ trackSetId: id, channelId }) => {
    // The media is removed before the transaction commits. If the process is killed before the commit, the row
    // remains, and the next sweep continues. So the store never has media of a TrackSet without a row.
    const isGone = await removeTrackSetIf(
      segments,
      id,
      async (setAside) =>
        await db.transaction(async (tx) => {
          // A recording may have pinned the TrackSet since the query, or may be pinning it now.
          if ((await lockPins(tx, [channelId])).length === 0) return await keptOrMissing(tx, id)
          const gone = await tx
            .delete(liveSets)
            .where(and(eq(liveSets.trackSetId, id), isOld))
            .returning({ id: liveSets.trackSetId })
          if (gone.length === 0) return await keptOrMissing(tx, id)
          await tx.delete(trackSets).where(eq(trackSets.id, id))
          await setAside()
          return 'removed'
        }),
    )
    if (isGone) removed++
  })
  return removed
}

/**
 * Does the work for each TrackSet. Goes on after a failure, unless several in a row fail. Logs the failures once. The
 * next sweep retries.
 */
async function attemptEach<Item extends { trackSetId: string }>(
  { log }: Parts,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: { err: unknown; trackSetId: string }[] = []
  let inRow = 0
  for (const item of items) {
    if (inRow === MOST_FAILURES) break
    try {
      await work(item)
      inRow = 0
    } catch (error) {
      inRow++
      failures.push({ err: error, trackSetId: item.trackSetId })
    }
  }
  if (failures.length > 0)
    log.warn({ ...failures[0], failed: failures.length }, 'old media of a live input could not be removed')
}

/** Returns the SQL condition that a channel has a later TrackSet. */
function hasSuccessor(db: Database): SQL {
  const later = alias(liveSets, 'later')
  return exists(
    db
      .select({ position: later.position })
      .from(later)
      .where(and(eq(later.channelId, liveSets.channelId), gt(later.position, liveSets.position))),
  )
}

/** Returns how long media is kept, in seconds. */
async function longestReach({ db, storefronts, configurations }: Parts): Promise<number> {
  const [row] = await db
    .select({ seconds: max(channels.timeshiftSeconds) })
    .from(channels)
    .where(eq(channels.kind, 'live'))
  const general = storefronts.list().map(({ id }) => configurations.of(id).live.timeshiftOttConfig)
  return Math.max(row?.seconds ?? 0, ...general) + SPARE_SECONDS
}
