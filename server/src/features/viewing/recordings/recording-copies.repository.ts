import { randomBytes } from 'node:crypto'
import { RECORDING_UNDO_SECONDS } from '@ondine/contract/recordings'
import type { Joint } from '@ondine/media/timeline'
import type { TrackSet } from '@ondine/media/track-set'
import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import type { Database, Transaction } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import type { RemovedTitle } from '../../content/library/title-hooks.ts'
import { channels, liveSets, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import type { Interval } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import {
  type Break,
  recordedProgrammes,
} from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { copiedSets, recordingCopies } from '../../inventory/recorded-programmes/recording-copies.table.ts'
import { assets, trackSets } from '../../inventory/titles/titles.table.ts'
import { recordings } from './recordings.table.ts'

/** Adds a copy that the worker will make. @returns the id of the copy */
export async function addCopy(tx: Transaction): Promise<number> {
  const [row] = await tx.insert(recordingCopies).values({}).returning({ id: recordingCopies.id })
  if (!row) throw new Error('The copy was not stored.')
  return row.id
}

/** Value of `held_by` for a ready copy without a recording, while sessions may still play it. */
const SESSIONS = 'sessions'

/**
 * Gives a recording, or all recordings of a programme that were not stopped, new copies that the worker will make. The
 * sweep removes the old copies after `playedUntil`, when no session plays them any more. Recordings without a copy get
 * none.
 */
export async function replaceCopies(
  tx: Transaction,
  of: { recordingId: number } | { recordedProgrammeId: number },
  playedUntil: number,
): Promise<void> {
  const isReplaced =
    'recordingId' in of
      ? sql`r.id = ${of.recordingId}`
      : sql`r.recorded_programme_id = ${of.recordedProgrammeId} and r.stopped_at is null`
  await tx.execute(sql`
    with replaced as (
      select r.id, r.copy_id, nextval(pg_get_serial_sequence('recording_copies', 'id'))::int as new_id
      from recordings r where r.copy_id is not null and ${isReplaced}
    ), added as (
      insert into recording_copies (id) select new_id from replaced
    ), kept as (
      update recording_copies c set held_by = ${SESSIONS}, held_until = ${iso(playedUntil)}
      from replaced where c.id = replaced.copy_id and c.ready_at is not null
    )
    update recordings r set copy_id = replaced.new_id from replaced where r.id = replaced.id`)
}

/**
 * Returns whether a profile has a recording with a ready copy of the whole programme. `endsAt` is the end of the
 * programme in the present guide.
 */
export async function hasWholeCopy(
  db: Database,
  profileId: number,
  { id, endsAt }: { id: number; endsAt: number },
): Promise<boolean> {
  const rows = await db
    .select({ id: recordings.id })
    .from(recordings)
    .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .innerJoin(recordingCopies, eq(recordingCopies.id, recordings.copyId))
    .where(
      and(
        eq(recordings.profileId, profileId),
        eq(recordedProgrammes.programmeId, id),
        gte(recordedProgrammes.endsAt, endsAt),
        isNull(recordings.stoppedAt),
        isNotNull(recordingCopies.readyAt),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/**
 * Pins the interval of a programme again. If the interval was not pinned, the caller must check after the commit
 * whether a sweep has already removed the media.
 *
 * @returns whether the interval was not pinned
 */
export async function pinAgain(tx: Transaction, recordedProgrammeId: number): Promise<boolean> {
  // Locks the row, so that `unpinCopied` skips it (`skip locked`). That function cannot see the uncommitted changes of
  // this transaction.
  await tx
    .select({ id: recordedProgrammes.id })
    .from(recordedProgrammes)
    .where(eq(recordedProgrammes.id, recordedProgrammeId))
    .for('key share')
  const [row] = await tx
    .update(recordedProgrammes)
    .set({ unpinnedAt: null })
    .where(and(eq(recordedProgrammes.id, recordedProgrammeId), isNotNull(recordedProgrammes.unpinnedAt)))
    .returning({ channelId: recordedProgrammes.channelId })
  if (row) await lockPinsOf(tx, row.channelId)
  return row !== undefined
}

/**
 * Locks a channel as a new pin does. A sweep of the channel either ends before this lock, or spares the interval that
 * the transaction pins.
 */
export async function lockPinsOf(tx: Transaction, channelId: number): Promise<void> {
  await tx.select({ id: channels.id }).from(channels).where(eq(channels.id, channelId)).for('key share')
}

/** A copy that this process is making. Times are milliseconds since the Unix epoch. */
export interface HeldCopy extends Interval {
  id: number
  channelId: number
  isLibrary: boolean
  isPlanned: boolean
  startsAt: number
  endsAt: number
  droppedAt: number | null
  breaks: Break[]
}

/** Condition that a copy must be made: its recording has ended without failing, and its programme is settled. */
const IS_WANTED = sql`c.ready_at is null and p.settled_at is not null and p.withheld_at is null
  and not coalesce(r.failed, p.failed) and r.removed_at is null`

/**
 * Takes a copy that must be made and that no other process is making. Conditions: its recording has ended without
 * failing, its programme is settled, the last TrackSet of its interval is complete, and the stop of its recording
 * can no longer be undone. Copies that failed come last, so that they do not delay others.
 *
 * @param until no other process takes the copy before this time
 */
export async function takeCopy(
  db: Database,
  holder: string,
  now: number,
  until: number,
): Promise<HeldCopy | undefined> {
  const undone = iso(now - RECORDING_UNDO_SECONDS * 1000)
  const [row] = await rowsOf<HeldCopy>(
    db,
    sql`
      update recording_copies c set held_by = ${holder}, held_until = ${iso(until)}
      from recordings r
      join recorded_programmes p on p.id = r.recorded_programme_id
      join channels ch on ch.id = p.channel_id
      where r.copy_id = c.id and c.id = (
        select c.id from recording_copies c
        join recordings r on r.copy_id = c.id
        join recorded_programmes p on p.id = r.recorded_programme_id
        where ${IS_WANTED} and (c.held_until is null or c.held_until < ${iso(now)})
          and (r.stopped_at is null or r.stopped_at < ${undone})
          and not exists (
            select from live_sets s where s.channel_id = p.channel_id and s.ends_at is null
              and s.starts_at < least(p.pinned_to, r.stopped_at))
        order by c.held_until nulls first, c.id limit 1 for update of c skip locked)
      returning c.id, p.channel_id as "channelId", ch.kind = 'library' as "isLibrary",
        c.planned_at is not null as "isPlanned",
        ${ms(sql`p.pinned_from`)} as "from", ${ms(sql`least(p.pinned_to, r.stopped_at)`)} as "to",
        ${ms(sql`p.starts_at`)} as "startsAt", ${ms(sql`p.ends_at`)} as "endsAt",
        ${ms(sql`p.dropped_at`)} as "droppedAt", p.breaks`,
  )
  return row
}

/**
 * Extends the time for which a process holds a copy.
 *
 * @returns false if another process has taken the copy, or if its recording was deleted
 */
export async function keepCopy(
  db: Database | Transaction,
  holder: string,
  copyId: number,
  until: number,
): Promise<boolean> {
  const rows = await rowsOf(
    db,
    sql`
      update recording_copies c set held_until = ${iso(until)}
      where c.id = ${copyId} and c.held_by = ${holder}
        and exists (select from recordings r where r.copy_id = c.id and r.removed_at is null)
      returning c.id`,
  )
  return rows.length > 0
}

/** Lets other processes take a copy, from `from` on. */
export async function releaseCopy(
  db: Database,
  holder: string,
  copyId: number,
  from: number | null,
): Promise<void> {
  await db
    .update(recordingCopies)
    .set({ heldBy: null, heldUntil: from })
    .where(and(eq(recordingCopies.id, copyId), eq(recordingCopies.heldBy, holder)))
}

/** Records that a copy is complete. @returns false if another process has taken the copy */
export async function readyCopy(db: Database, holder: string, copyId: number, now: number): Promise<boolean> {
  const rows = await db
    .update(recordingCopies)
    .set({ readyAt: now, heldBy: null, heldUntil: null })
    .where(and(eq(recordingCopies.id, copyId), eq(recordingCopies.heldBy, holder)))
    .returning({ id: recordingCopies.id })
  return rows.length > 0
}

/** TrackSet of a channel, with its place on the clock. */
export interface SourceSet {
  position: number
  startsAt: number
  endsAt: number
  joint: Joint | null
  isSlate: boolean
  assetId: number | null
  moralityLevel: number | null
  adult: boolean | null
  isRecordingForbidden: boolean
  firstSegment: number
  /** Null: all segments of the TrackSet. */
  segmentCount: number | null
  mediaSequence: number
  discontinuitySequence: number
  document: TrackSet
}

/** Returns the TrackSets of a channel in a past interval, in order. */
export async function findSourceSets(
  db: Database,
  { channelId, isLibrary, from, to }: HeldCopy,
): Promise<SourceSet[]> {
  const within = (of: Record<'channelId' | 'startsAt' | 'endsAt', AnyPgColumn>) =>
    and(eq(of.channelId, channelId), gt(of.endsAt, from), lt(of.startsAt, to))
  if (!isLibrary) {
    const rows = await db
      .select({ set: liveSets, document: trackSets.document })
      .from(liveSets)
      .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
      .where(and(within(liveSets), isNotNull(liveSets.endsAt)))
      .orderBy(asc(liveSets.position))
    return rows.map(({ set, document }) => ({
      ...set,
      endsAt: set.endsAt ?? to,
      assetId: null,
      firstSegment: 0,
      segmentCount: null,
      document,
    }))
  }
  const rows = await db
    .select({
      entry: scheduleEntries,
      moralityLevel: sql<number | null>`coalesce(${assets.moralityLevel}, ${scheduleEntries.moralityLevel})`,
      adult: sql<boolean | null>`coalesce(${assets.adult}, ${scheduleEntries.adult})`,
      document: trackSets.document,
    })
    .from(scheduleEntries)
    .innerJoin(trackSets, eq(trackSets.id, scheduleEntries.trackSetId))
    .leftJoin(assets, eq(assets.id, scheduleEntries.assetId))
    .where(within(scheduleEntries))
    .orderBy(asc(scheduleEntries.position))
  return rows.map(({ entry, ...row }) => ({
    ...entry,
    ...row,
    joint: null,
    isSlate: false,
    isRecordingForbidden: false,
  }))
}

/** Description of a TrackSet of a copy. Stored before the files are copied. */
export interface PlannedSet {
  row: Omit<typeof copiedSets.$inferInsert, 'copyId' | 'trackSetId'>
  document: TrackSet
  durationSeconds: number
}

/**
 * Stores the description of a copy, unless another process has taken the copy. Each TrackSet gets its own content key.
 */
export async function planCopy(
  db: Database,
  holder: string,
  copyId: number,
  sets: readonly PlannedSet[],
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await tx
      .update(recordingCopies)
      .set({ plannedAt: now })
      .where(
        and(
          eq(recordingCopies.id, copyId),
          eq(recordingCopies.heldBy, holder),
          isNull(recordingCopies.plannedAt),
        ),
      )
      .returning({ id: recordingCopies.id })
    if (held.length === 0 || sets.length === 0) return
    await tx.insert(trackSets).values(
      sets.map(({ document, durationSeconds }) => ({
        id: document.id,
        key: document.encryption && randomBytes(16),
        document,
        durationSeconds,
      })),
    )
    await tx
      .insert(copiedSets)
      .values(sets.map(({ row, document }) => ({ ...row, copyId, trackSetId: document.id })))
  })
}

/** A TrackSet of a copy with segments that are not copied yet. */
export interface UnfinishedSet {
  position: number
  nextSegment: number
  copiedTo: number
  document: TrackSet
  key: Buffer | null
  /** The TrackSet of the channel. */
  source: { document: TrackSet; key: Buffer | null }
}

/**
 * Returns the next incomplete TrackSet of a copy; undefined if all TrackSets are complete. @throws Error if the
 * TrackSet of the channel was deleted
 */
export async function findUnfinishedSet(db: Database, copyId: number): Promise<UnfinishedSet | undefined> {
  const source = alias(trackSets, 'source')
  const [row] = await db
    .select({
      position: copiedSets.position,
      nextSegment: copiedSets.nextSegment,
      copiedTo: copiedSets.copiedTo,
      document: trackSets.document,
      key: trackSets.key,
      sourceId: copiedSets.sourceId,
      sourceDocument: source.document,
      sourceKey: source.key,
    })
    .from(copiedSets)
    .innerJoin(trackSets, eq(trackSets.id, copiedSets.trackSetId))
    .leftJoin(source, eq(source.id, copiedSets.sourceId))
    .where(and(eq(copiedSets.copyId, copyId), lt(copiedSets.nextSegment, copiedSets.copiedTo)))
    .orderBy(asc(copiedSets.position))
    .limit(1)
  if (!row) return undefined
  const { sourceId, sourceDocument, sourceKey, ...set } = row
  if (!sourceDocument) throw new Error(`The TrackSet ${sourceId} was removed before it was copied.`)
  return { ...set, source: { document: sourceDocument, key: sourceKey } }
}

/** Records up to which segment a TrackSet is copied. */
export async function noteCopied(
  db: Database,
  copyId: number,
  position: number,
  nextSegment: number,
): Promise<void> {
  await db
    .update(copiedSets)
    .set({ nextSegment })
    .where(and(eq(copiedSets.copyId, copyId), eq(copiedSets.position, position)))
}

/**
 * Unpins programmes whose recordings all have a copy that was ready before `readyBefore`. Failed recordings need no
 * copy. Unpins at most `limit` programmes.
 *
 * @returns the number of unpinned programmes
 */
export async function unpinCopied(
  db: Database,
  readyBefore: number,
  now: number,
  limit: number,
): Promise<number> {
  const isCopied = sql`p.settled_at is not null and p.unpinned_at is null
    and exists (select from recordings r where r.recorded_programme_id = p.id and r.copy_id is not null)
    and not exists (
      select from recordings r left join recording_copies c on c.id = r.copy_id
      where r.recorded_programme_id = p.id and r.failed is not true
        and (c.ready_at is null or c.ready_at > ${iso(readyBefore)}))`
  return await db.transaction(async (tx) => {
    // A new recording of the programme needs a share lock on the programme's row, so it waits for this
    // transaction.
    const locked = await rowsOf<{ id: number }>(
      tx,
      sql`select p.id from recorded_programmes p where ${isCopied} limit ${limit} for update skip locked`,
    )
    if (locked.length === 0) return 0
    const ids = sql.param(`{${locked.map(({ id }) => id).join(',')}}`)
    const unpinned = await rowsOf(
      tx,
      sql`update recorded_programmes p set unpinned_at = ${iso(now)}
        where p.id = any(${ids}::int[]) and ${isCopied} returning p.id`,
    )
    return unpinned.length
  })
}

/**
 * Takes at most `limit` copies to which no recording refers any more. Other processes then stop writing to them.
 *
 * @returns the ids of the copies
 */
export async function takeUnrecordedCopies(
  db: Database,
  holder: string,
  now: number,
  until: number,
  limit: number,
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`
      update recording_copies set held_by = ${holder}, held_until = ${iso(until)} where id in (
        select c.id from recording_copies c
        where not exists (select from recordings r where r.copy_id = c.id)
          and (c.held_by is null or c.held_until < ${iso(now)})
        order by c.id limit ${limit} for update of c skip locked)
      returning id`,
  )
  return rows.map(({ id }) => id)
}

/** Returns the TrackSets of copies. */
export async function findCopiedSets(
  db: Database,
  copyIds: readonly number[],
): Promise<{ copyId: number; trackSetId: string }[]> {
  if (copyIds.length === 0) return []
  return await db
    .select({ copyId: copiedSets.copyId, trackSetId: copiedSets.trackSetId })
    .from(copiedSets)
    .where(inArray(copiedSets.copyId, [...copyIds]))
}

/**
 * Deletes the rows of a TrackSet of a copy. @param setAside removes its media from the store, before the commit
 */
export async function deleteCopiedSet(
  db: Database,
  trackSetId: string,
  setAside: () => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(copiedSets).where(eq(copiedSets.trackSetId, trackSetId))
    await tx.delete(trackSets).where(eq(trackSets.id, trackSetId))
    await setAside()
  })
}

/** Deletes a copy that has no TrackSets any more. */
export async function deleteCopy(db: Database, copyId: number): Promise<void> {
  await db.delete(recordingCopies).where(eq(recordingCopies.id, copyId))
}

/** Numbers of copies. */
export interface CopyCounts {
  /** Copies that can be made now, because their programmes are settled. */
  waiting: number
  /** Copies of `waiting` whose last attempt failed. */
  failed: number
  ready: number
}

/** Counts copies by their state. Copies of planned and failed recordings are not counted. */
export async function countCopies(db: Database): Promise<CopyCounts> {
  const [row] = await rowsOf<CopyCounts>(
    db,
    sql`
      select count(*)::int as waiting,
        (count(*) filter (where c.held_by is null and c.held_until is not null))::int as failed,
        (select count(*)::int from recording_copies where ready_at is not null) as ready
      from recording_copies c
      join recordings r on r.copy_id = c.id
      join recorded_programmes p on p.id = r.recorded_programme_id
      where ${IS_WANTED}`,
  )
  return row ?? { waiting: 0, failed: 0, ready: 0 }
}

/** Copies the rating of a removed title to the copies that contain the title. */
export async function keepCopiedRating(
  tx: Transaction,
  { id, moralityLevel, adult }: RemovedTitle,
): Promise<void> {
  await tx.update(copiedSets).set({ moralityLevel, adult }).where(eq(copiedSets.assetId, id))
}

function ms(time: SQL): SQL {
  return sql`(extract(epoch from ${time}) * 1000)::float8`
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
