import { and, asc, eq, exists, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import type { RemovedTitle } from '../../content/library/title-hooks.ts'
import {
  type Break,
  recordedProgrammes,
} from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { forbidsRecording } from '../../television/channels/forbidden-uses.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { FOLLOW_MS, type FoundShowing } from './follow-programme.ts'
import { wasMovedAway } from './guide-places.ts'
import type { Margins } from './margins.ts'
import { lockPinsOf, replaceCopies } from './recording-copies.repository.ts'
import type { RecordingResult } from './recordings.repository.ts'
import { recordings } from './recordings.table.ts'
import { deleteAndReopen, reopenShowings } from './series-recordings.repository.ts'

/** Columns that are copied from the programme of the guide. */
const COPIED = `universal_id, asset_id, titles, subtitles, descriptions, genres, morality_level, adult, season_number,
  episode_number, image_address, image_id`
const COPIES = sql.raw(COPIED.replaceAll(/\w+/g, 'p.$&'))

/** Whether the guide's programme with the stored id has the titles and the episode of the recorded programme. */
const IS_SAME = sql<boolean>`(${programmes.titles}, ${programmes.subtitles}, ${programmes.seasonNumber},
  ${programmes.episodeNumber}) is not distinct from (${recordedProgrammes.titles}, ${recordedProgrammes.subtitles},
  ${recordedProgrammes.seasonNumber}, ${recordedProgrammes.episodeNumber})`

/**
 * Whether the guide's programme with the stored id is still the same programme at the same time. An import may give
 * the id to another programme. Only after the import does the recorded programme get the new id of its programme.
 */
const IS_CURRENT = sql<boolean>`(${programmes.startsAt} = ${recordedProgrammes.startsAt} and ${IS_SAME})`

/** A showing in the guide. Milliseconds since the Unix epoch. */
interface Showing {
  id: number
  channelId: number
  startsAt: number
  programmeKey: string
}

/**
 * Returns the place of a showing that is already recorded, without reading the guide; undefined if nobody records
 * it.
 */
export async function findSharedPlace(
  db: Database,
  { id, channelId, startsAt }: Omit<Showing, 'programmeKey'>,
): Promise<FoundShowing | undefined> {
  const [known] = await db
    .select({
      endsAt: recordedProgrammes.endsAt,
      breaks: recordedProgrammes.breaks,
      otherStarts: recordedProgrammes.otherStarts,
    })
    .from(recordedProgrammes)
    .innerJoin(programmes, and(eq(programmes.id, recordedProgrammes.programmeId), IS_CURRENT))
    .where(
      and(
        eq(recordedProgrammes.channelId, channelId),
        eq(recordedProgrammes.programmeId, id),
        eq(recordedProgrammes.startsAt, startsAt),
        isNull(recordedProgrammes.settledAt),
      ),
    )
    .limit(1)
    .prepare('shared_place')
    .execute()
  return known && { showing: { id, startsAt }, ...known }
}

/**
 * Returns whether recorded programmes of a channel do not follow the present guide yet. Examines only programmes
 * near the time `at`, in milliseconds since the Unix epoch.
 */
export async function isBehindGuide(
  db: Database,
  channelId: number,
  at: number,
  now: number,
): Promise<boolean> {
  const rows = await db
    .select({ id: recordedProgrammes.id })
    .from(recordedProgrammes)
    .leftJoin(programmes, eq(programmes.id, recordedProgrammes.programmeId))
    .where(
      and(
        eq(recordedProgrammes.channelId, channelId),
        gt(recordedProgrammes.pinnedTo, at - FOLLOW_MS),
        lt(recordedProgrammes.pinnedFrom, at + FOLLOW_MS),
        or(
          and(
            isNull(recordedProgrammes.settledAt),
            isNotNull(recordedProgrammes.programmeId),
            sql`not coalesce(${IS_CURRENT}, false)`,
          ),
          wasMovedAway(now),
        ),
      ),
    )
    .limit(1)
    .prepare('behind_guide')
    .execute()
  return rows.length > 0
}

/**
 * Returns the recorded programme of a showing of the present guide, so that all recordings of the showing share
 * its interval. The first recording creates the row. Two concurrent first recordings may create two rows, which
 * does no harm. No sweep deletes the row before the transaction ends. The caller must call
 * {@link reopenRecordedProgramme} for a programme that existed before.
 *
 * @returns undefined if the guide no longer has the showing
 */
export async function shareRecordedProgramme(
  tx: Transaction,
  { channelId, programmeKey }: Pick<Showing, 'channelId' | 'programmeKey'>,
  place: FoundShowing,
  margins: Margins,
): Promise<number | undefined> {
  const { showing, endsAt, breaks, otherStarts } = place
  const [known] = await tx
    .select({ id: recordedProgrammes.id })
    .from(recordedProgrammes)
    .innerJoin(programmes, and(eq(programmes.id, recordedProgrammes.programmeId), IS_CURRENT))
    .where(
      and(
        eq(recordedProgrammes.channelId, channelId),
        eq(recordedProgrammes.programmeId, showing.id),
        eq(recordedProgrammes.startsAt, showing.startsAt),
        eq(programmes.programmeKey, programmeKey),
      ),
    )
    .limit(1)
    .for('key share', { of: recordedProgrammes })
    .prepare('share_recorded_programme')
    .execute()
  if (known) return known.id
  const [added] = await rowsOf<{ id: number }>(
    tx,
    sql`
      insert into recorded_programmes (
        channel_id, programme_id, starts_at, ends_at, pinned_from, pinned_to, breaks, other_starts, ${sql.raw(COPIED)})
      select p.channel_id, p.id, p.starts_at, ${iso(endsAt)}, ${iso(showing.startsAt - margins.earlyMs)},
        ${iso(endsAt + margins.lateMs)}, ${JSON.stringify(breaks)}::jsonb, ${JSON.stringify(otherStarts)}::jsonb,
        ${COPIES}
      from programmes p
      where p.id = ${showing.id} and p.starts_at = ${iso(showing.startsAt)} and p.programme_key = ${programmeKey}
      returning id`,
  )
  return added?.id
}

/** Moves recorded programmes to their places in the guide. Does not write unchanged rows. */
export async function moveRecordedProgrammes(
  tx: Transaction,
  moves: readonly { id: number; place: FoundShowing }[],
  { earlyMs, lateMs }: Margins,
): Promise<void> {
  if (moves.length === 0) return
  const rows = moves.map(({ id, place: { showing, endsAt, breaks, otherStarts } }) => ({
    id,
    programme_id: showing.id,
    starts_at: iso(showing.startsAt),
    ends_at: iso(endsAt),
    pinned_from: iso(showing.startsAt - earlyMs),
    pinned_to: iso(endsAt + lateMs),
    breaks,
    other_starts: otherStarts,
  }))
  await tx.execute(sql`
    update recorded_programmes r
    set (programme_id, starts_at, ends_at, pinned_from, pinned_to, breaks, other_starts, dropped_at, ${sql.raw(COPIED)})
      = (p.id, given.starts_at, given.ends_at, given.pinned_from, given.pinned_to, given.breaks, given.other_starts, null,
        ${COPIES})
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      id int, programme_id int, starts_at timestamptz, ends_at timestamptz, pinned_from timestamptz,
      pinned_to timestamptz, breaks jsonb, other_starts jsonb
    )
    join programmes p on p.id = given.programme_id
    where r.id = given.id and r.settled_at is null
      and (r.programme_id, r.starts_at, r.ends_at, r.breaks, r.other_starts, r.dropped_at, r.universal_id, r.asset_id,
          r.titles, r.subtitles, r.descriptions, r.genres, r.morality_level, r.adult, r.image_address, r.season_number,
          r.episode_number)
        is distinct from (p.id, given.starts_at, given.ends_at, given.breaks, given.other_starts, null::timestamptz,
          p.universal_id, p.asset_id, p.titles, p.subtitles, p.descriptions, p.genres, p.morality_level, p.adult,
          p.image_address, p.season_number, p.episode_number)`)
}

/**
 * Marks programmes that the guide has dropped. They keep their last intervals, so that a temporary fault of the
 * guide costs no recording.
 */
export async function dropRecordedProgrammes(
  tx: Transaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    update recorded_programmes set programme_id = null, dropped_at = ${iso(now)}
    where id = any(${sql.param(`{${ids.join(',')}}`)}::int[]) and dropped_at is null and settled_at is null`)
}

/**
 * Marks settled programmes of channels that the guide has since moved to another time altogether, such as a match that
 * was put off to later that night. The recording has other programmes, so the guide has dropped its programme, and a
 * series recording may record it at its new time.
 */
export async function dropMovedAway(
  tx: Transaction,
  channelIds: readonly number[],
  now: number,
): Promise<void> {
  const moved = sql`
    select recorded_programmes.id from recorded_programmes
    join programmes on programmes.id = recorded_programmes.programme_id
    where recorded_programmes.channel_id = any(${sql.param(`{${channelIds.join(',')}}`)}::int[])
      and ${wasMovedAway(now)}`
  await reopenShowings(tx, moved)
  await tx.execute(sql`
    update recorded_programmes set programme_id = null, dropped_at = ${iso(now)} where id in (${moved})`)
}

/**
 * Withholds programmes if the guide now forbids recording them, and restores programmes that the guide allows
 * again. A programme that has begun is recorded to its end.
 */
export async function withholdForbidden(tx: Transaction, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return
  const isForbidden = forbidsRecording(sql`p.details`)
  await tx.execute(sql`
    update recorded_programmes r set withheld_at = case when ${isForbidden} then ${iso(now)}::timestamptz end
    from programmes p
    where p.id = r.programme_id and r.id = any(${sql.param(`{${ids.join(',')}}`)}::int[])
      and case when r.withheld_at is null then ${isForbidden} and r.starts_at > ${iso(now)} else not ${isForbidden} end`)
}

/**
 * Deletes at most `limit` recordings of programmes that are still withheld and ended before a time. A series
 * recording may still record a repeat of a deleted episode.
 *
 * @returns the number of deleted recordings
 */
export async function deleteWithheld(db: Database, before: number, limit: number): Promise<number> {
  const gone = await rowsOf(
    db,
    deleteAndReopen(sql`
      select r.id from recorded_programmes p join recordings r on r.recorded_programme_id = p.id
      where p.settled_at is null and p.withheld_at is not null and p.pinned_to < ${iso(before)} limit ${limit}`),
  )
  return gone.length
}

/** A recorded programme whose interval is over. */
export interface EndedProgramme {
  id: number
  channelId: number
  startsAt: number
  endsAt: number
  breaks: Break[]
}

/**
 * Returns at most `limit` unsettled programmes after `afterId` whose intervals ended before a time. Leaves out withheld
 * programmes.
 */
export async function findEnded(
  db: Database,
  before: number,
  afterId: number,
  limit: number,
): Promise<EndedProgramme[]> {
  const { id, channelId, startsAt, endsAt, breaks, settledAt, pinnedTo, withheldAt } = recordedProgrammes
  return await db
    .select({ id, channelId, startsAt, endsAt, breaks })
    .from(recordedProgrammes)
    .where(and(isNull(settledAt), isNull(withheldAt), lte(pinnedTo, before), gt(id, afterId)))
    .orderBy(asc(id))
    .limit(limit)
}

/** Stores the result of a recorded programme. Does nothing if the guide has moved the programme since it was read. */
export async function settleRecordedProgramme(
  db: Database,
  ended: Pick<EndedProgramme, 'id' | 'startsAt' | 'endsAt'>,
  result: RecordingResult,
  now: number,
): Promise<void> {
  const { id, startsAt, endsAt, settledAt } = recordedProgrammes
  await db
    .update(recordedProgrammes)
    .set({ ...result, settledAt: now })
    .where(and(eq(id, ended.id), eq(startsAt, ended.startsAt), eq(endsAt, ended.endsAt), isNull(settledAt)))
}

/**
 * Reopens a settled programme if it failed, because its media may have come back, or if the guide has lengthened it
 * since. A lengthened programme gets its new place. A later job settles the programme and its stopped recordings again. Their copies stay as they are, and all
 * other recordings get new copies. Does nothing for any other programme.
 *
 * @param place the place of the programme in the present guide
 * @param playedUntil time until which sessions may play the old copies, in milliseconds since the Unix epoch
 */
export async function reopenRecordedProgramme(
  tx: Transaction,
  id: number,
  place: FoundShowing,
  margins: Margins,
  playedUntil: number,
): Promise<void> {
  const { settledAt, endsAt, failed, programmeId } = recordedProgrammes
  const isSame = exists(
    tx
      .select({ one: sql`1` })
      .from(programmes)
      .where(and(eq(programmes.id, programmeId), IS_SAME)),
  )
  const isLengthened = and(lt(endsAt, place.endsAt), isSame)
  const [reopened] = await tx
    .update(recordedProgrammes)
    .set({ settledAt: null, failed: false, missingSeconds: 0 })
    .where(and(eq(recordedProgrammes.id, id), or(failed, and(isNotNull(settledAt), isLengthened))))
    .returning({ channelId: recordedProgrammes.channelId, isLengthened: sql<boolean>`${isLengthened}` })
  if (!reopened) return
  await tx
    .update(recordings)
    .set({ failed: null, missingSeconds: null })
    .where(and(eq(recordings.recordedProgrammeId, id), isNotNull(recordings.failed)))
  if (!reopened.isLengthened) return
  await lockPinsOf(tx, reopened.channelId)
  await moveRecordedProgrammes(tx, [{ id, place }], margins)
  await replaceCopies(tx, { recordedProgrammeId: id }, playedUntil)
}

/**
 * Deletes recorded programmes without a recording, at most `limit`. Skips rows that another transaction has locked
 * for a new recording. @returns the number of deleted programmes
 */
export async function deleteUnrecorded(db: Database, limit: number): Promise<number> {
  const unrecorded = sql`not exists (select from recordings where recorded_programme_id = r.id)`
  return await db.transaction(async (tx) => {
    const locked = await rowsOf<{ id: number }>(
      tx,
      sql`select r.id from recorded_programmes r where ${unrecorded} limit ${limit} for update skip locked`,
    )
    if (locked.length === 0) return 0
    const ids = sql.param(`{${locked.map(({ id }) => id).join(',')}}`)
    // Repeats the condition: a recording may have been stored after the first statement began, and before it
    // locked the row.
    const gone = await rowsOf(
      tx,
      sql`delete from recorded_programmes r where r.id = any(${ids}::int[]) and ${unrecorded} returning r.id`,
    )
    return gone.length
  })
}

/** Copies the rating of a removed title to its recorded programmes, which outlive the title. */
export async function keepRecordedRating(
  tx: Transaction,
  { id, moralityLevel, adult }: RemovedTitle,
): Promise<void> {
  await tx.update(recordedProgrammes).set({ moralityLevel, adult }).where(eq(recordedProgrammes.assetId, id))
}

/** Returns the SQL condition that a recorded programme refers to the picture. */
export function recordingNamesPicture(tx: Transaction, imageId: AnyPgColumn): SQL {
  return exists(
    tx.select({ one: sql`1` }).from(recordedProgrammes).where(eq(recordedProgrammes.imageId, imageId)),
  )
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
