import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { programmes } from './guide.table.ts'

/** Maximum number of programmes that one transaction deletes. */
export const MOST_GONE = 500

/** Deletes programmes that ended before `before`, in slices. @returns the number of deleted programmes. */
export async function prunePast(db: Database, before: number, signal?: AbortSignal): Promise<number> {
  return await removeInSlices(
    db,
    () => sql`${programmes.endsAt} < ${iso(before)} order by ${programmes.endsAt}`,
    signal,
  )
}

/** Deletes all programmes of a source, in slices. */
export async function removeProgrammesOf(db: Database, sourceId: number): Promise<void> {
  // Delete in the order of ids, so that each slice continues in the index where the previous slice ended.
  await removeInSlices(
    db,
    (last) =>
      sql`${programmes.sourceId} = ${sourceId} and ${programmes.id} > ${last} order by ${programmes.id}`,
  )
}

/** Deletes all programmes of these channels, in slices. */
export async function removeProgrammesOfChannels(db: Database, channelIds: readonly number[]): Promise<void> {
  await removeInSlices(db, () => sql`${inArray(programmes.channelId, [...channelIds])}`)
}

/**
 * Deletes programmes in slices. Stops before the next slice when `signal` is aborted.
 *
 * @param whichAfter returns the SQL condition and the order of the programmes to delete. Its argument is the
 * highest id deleted so far.
 * @returns the number of deleted programmes, even if the call was stopped.
 */
async function removeInSlices(
  db: Database,
  whichAfter: (last: number) => SQL,
  signal?: AbortSignal,
): Promise<number> {
  const pace = new Pace(MOST_GONE)
  let all = 0
  let last = 0
  for (;;) {
    if (signal?.aborted === true) return all
    const isLast = await pace.slice(async (most) => {
      const gone = await db.transaction(async (tx) => {
        await lockGuide(tx)
        // The embedded database has no statistics. Without this setting, it would scan the whole guide for each
        // slice.
        await tx.execute(sql`set local enable_seqscan = off`)
        const some = sql`(select ${programmes.id} from ${programmes} where ${whichAfter(last)} limit ${most})`
        return await tx
          .delete(programmes)
          .where(sql`${programmes.id} in ${some}`)
          .returning({ id: programmes.id })
      })
      for (const { id } of gone) last = Math.max(last, id)
      all += gone.length
      return gone.length < most
    })
    if (isLast) return all
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** Id of the advisory lock of the guide. The only other advisory lock in the database belongs to migrations. */
const GUIDE_LOCK = 6_633_464

/**
 * How a transaction may change the guide. `additions` only adds programmes; such transactions run concurrently.
 * `all` may also change and delete programmes, and excludes all other transactions that lock the guide.
 */
export type GuideLock = 'additions' | 'all'

/**
 * Locks the guide until the transaction ends. Call this before taking any other lock. The lock protects the search
 * index: the first showing of a title adds its search entry, and the deletion of the last showing removes it.
 * Without the lock, a concurrent addition and deletion could leave a shown title without an entry. Concurrent
 * additions of a title share its entry (`search.index.sql`).
 */
export async function lockGuide(tx: Transaction, lock: GuideLock = 'all'): Promise<void> {
  await tx.execute(
    lock === 'all'
      ? sql`select pg_advisory_xact_lock(${GUIDE_LOCK})`
      : sql`select pg_advisory_xact_lock_shared(${GUIDE_LOCK})`,
  )
}

/** A programme from the schedule of a library channel. Times are milliseconds since the Unix epoch. */
export interface ScheduledProgramme
  extends Pick<
    typeof programmes.$inferSelect,
    | 'universalId'
    | 'startsAt'
    | 'endsAt'
    | 'assetId'
    | 'titles'
    | 'descriptions'
    | 'genres'
    | 'moralityLevel'
    | 'adult'
    | 'imageId'
  > {}

/** Stores programmes from a channel's schedule. For a programme that is already stored, updates the end. */
export async function announceProgrammes(
  tx: Transaction,
  channelId: number,
  announced: readonly ScheduledProgramme[],
): Promise<void> {
  if (announced.length === 0) return
  const rows = announced.map((each) => ({
    universal_id: each.universalId,
    starts_at: iso(each.startsAt),
    ends_at: iso(each.endsAt),
    asset_id: each.assetId,
    titles: each.titles,
    descriptions: each.descriptions,
    genres: each.genres,
    morality_level: each.moralityLevel,
    adult: each.adult,
    image_id: each.imageId,
  }))
  await tx.execute(sql`
    insert into programmes (
      channel_id, universal_id, starts_at, ends_at, asset_id, titles, descriptions, genres, morality_level, adult, image_id
    )
    select ${channelId}::int, universal_id, starts_at, ends_at, asset_id, titles, descriptions, genres, morality_level,
      adult, image_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      universal_id text, starts_at timestamptz, ends_at timestamptz, asset_id int, titles jsonb,
      descriptions jsonb, genres text[], morality_level int, adult boolean, image_id text
    )
    on conflict (channel_id, starts_at) do update set ends_at = excluded.ends_at`)
}

/** Sets the end of the programme of a channel that begins at `startsAt`. */
export async function endProgramme(
  tx: Transaction,
  channelId: number,
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
): Promise<void> {
  await tx
    .update(programmes)
    .set({ endsAt })
    .where(and(eq(programmes.channelId, channelId), eq(programmes.startsAt, startsAt)))
}

/**
 * Sets the pictures of blocks in a channel's guide. Blocks are programmes without an asset, identified by their
 * titles.
 */
export async function setBlockPictures(
  tx: Transaction,
  channelId: number,
  pictures: readonly { titles: LocalisedText; imageId: string }[],
): Promise<void> {
  if (pictures.length === 0) return
  await tx.execute(sql`
    update programmes set image_id = given."imageId"
    from jsonb_to_recordset(${JSON.stringify(pictures)}::jsonb) as given (titles jsonb, "imageId" text)
    where programmes.channel_id = ${channelId} and programmes.asset_id is null and programmes.titles = given.titles
      and programmes.image_id is distinct from given."imageId"`)
}
