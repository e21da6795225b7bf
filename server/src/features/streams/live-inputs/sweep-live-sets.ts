import { LIVE_WINDOW_SECONDS } from '@ondine/media/window'
import { and, asc, eq, isNull, lt, max, not, or } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { setTrackSetAside } from '../../../ingest/ingest.ts'
import { discardAside } from '../../../ingest/workspace.ts'
import { channels, liveSets } from '../../inventory/line-up/line-up.table.ts'
import { isPinned } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import { ownerOf } from '../../inventory/stores/stores.service.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'

/** Kept longer than any viewer may go back, in seconds: for players that lag behind. */
const SPARE_SECONDS = LIVE_WINDOW_SECONDS + 5 * 60
/** Longest TrackSet of a live input, in milliseconds. */
export const LONGEST_SET_MS = 5 * 60_000

/** TrackSets that are removed in one go. */
const BATCH = 500

type Parts = Pick<Context, 'db' | 'clock' | 'folders' | 'stores' | 'storefronts' | 'configurations'>

/** Returns whether any media of live inputs exists. */
export async function hasLiveSets(db: Database): Promise<boolean> {
  const rows = await db.select({ position: liveSets.position }).from(liveSets).limit(1)
  return rows.length > 0
}

/**
 * Removes the TrackSets of live inputs that no viewer can reach any more: they are older than the longest
 * time-shift of all storefronts and channels, and no recording pins them. Each has its row in this database, and no player names it.
 *
 * @returns their number
 */
export async function sweepLiveSets(context: Parts): Promise<number> {
  const { db, clock, folders, stores } = context
  if ((await ownerOf(db, stores.media)) !== 'ours') return 0
  const before = clock.now() - (await longestReach(context)) * 1000
  const { channelId, startsAt, endsAt } = liveSets
  const isOld = or(
    and(lt(endsAt, before), not(isPinned(db, { channelId, from: startsAt, to: endsAt }))),
    // The process that made it was killed, and no other one received the input afterwards.
    and(isNull(endsAt), lt(startsAt, before - 2 * LONGEST_SET_MS)),
  )
  const due = await db
    .select({ id: liveSets.trackSetId })
    .from(liveSets)
    .where(isOld)
    .orderBy(asc(liveSets.endsAt))
    .limit(BATCH)
  for (const { id } of due) {
    // If the process is killed in between, the row remains, and the next sweep continues. There is never a
    // folder without its row.
    const aside = await db.transaction(async (tx) => {
      await tx.delete(liveSets).where(eq(liveSets.trackSetId, id))
      await tx.delete(trackSets).where(eq(trackSets.id, id))
      return await setTrackSetAside(folders.media, id)
    })
    await discardAside(aside)
  }
  return due.length
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
