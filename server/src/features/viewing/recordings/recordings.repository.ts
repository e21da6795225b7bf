import { and, desc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { rowsOf } from '../../../database/rows.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { recordingCopies } from '../../inventory/recorded-programmes/recording-copies.table.ts'
import { assets, categories, images } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { grants, packageChannels } from '../../rights/entitlements/entitlements.table.ts'
import { endOf, GIVES_ACCESS } from '../../rights/entitlements/grants.service.ts'
import { recordingTimeIn } from '../../rights/entitlements/packages.service.ts'
import { forbidsRecording } from '../../television/channels/forbidden-uses.service.ts'
import { guidePictures, programmes } from '../../television/guide-import/guide.table.ts'
import type { ExpiredBefore } from './recording-state.ts'
import { recordings } from './recordings.table.ts'
import { deleteAndReopen } from './series-recordings.repository.ts'

/** A programme that a viewer asks to record. */
export interface WantedProgramme {
  id: number
  channelId: number
  channelKind: (typeof channels.$inferSelect)['kind']
  channelLevel: number
  isChannelFree: boolean
  /** Packages that contain the channel. */
  packageIds: number[]
  startsAt: number
  endsAt: number
  /** Rating of the title in the library, or of the programme if it has no such title. */
  moralityLevel: number
  adult: boolean
  /** Whether the guide of the channel forbids recording the programme. */
  isForbidden: boolean
  /** Identifies the titles and the rating of the programme. */
  programmeKey: string
}

const rating = (of: typeof programmes | typeof recordedProgrammes) => ({
  moralityLevel: sql<number>`coalesce(${assets.moralityLevel}, ${of.moralityLevel})`,
  adult: sql<boolean>`coalesce(${assets.adult}, ${of.adult})`,
})

/**
 * The result of a recording: a stopped recording has a separate result, all others have the result of the
 * programme.
 */
const result = {
  failed: sql<boolean>`coalesce(${recordings.failed}, ${recordedProgrammes.failed})`,
  missingSeconds: sql<number>`coalesce(${recordings.missingSeconds}, ${recordedProgrammes.missingSeconds})`,
}

/** Returns a programme of the guide; undefined if the channel has no such programme, or is hidden. */
export async function findWanted(
  db: Database,
  programmeId: number,
  channelId: number,
): Promise<WantedProgramme | undefined> {
  const [row] = await db
    .select({
      id: programmes.id,
      channelId: programmes.channelId,
      channelKind: channels.kind,
      channelLevel: channels.moralityLevel,
      isChannelFree: channels.free,
      packageIds: sql<
        number[]
      >`array(select ${packageChannels.packageId} from ${packageChannels} where ${packageChannels.channelId} = ${channels.id})`,
      startsAt: programmes.startsAt,
      endsAt: programmes.endsAt,
      ...rating(programmes),
      isForbidden: forbidsRecording(programmes.details),
      programmeKey: sql<string>`${programmes.programmeKey}`,
    })
    .from(programmes)
    .innerJoin(channels, eq(channels.id, programmes.channelId))
    .leftJoin(assets, eq(assets.id, programmes.assetId))
    .where(and(eq(programmes.id, programmeId), eq(programmes.channelId, channelId), eq(channels.shown, true)))
    .prepare('wanted_programme')
    .execute()
  return row
}

/** Locks an account, so that concurrent changes of its recordings run one after the other. */
export async function lockAccount(tx: Transaction, accountId: number): Promise<void> {
  await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .for('update')
    .prepare('lock_account_of_recordings')
    .execute()
}

/** Recording time of an account, in milliseconds. */
export interface Quota {
  /** Time that the packages of the account give altogether. */
  available: number
  /** Time that is already recorded. */
  consumed: number
  /** Time that is not recorded yet: planned recordings, and the rest of recordings in progress. */
  planned: number
  /** Part of `planned`: the rest of the recordings in progress. */
  running: number
}

/**
 * Returns the recording time that the given packages add to an account, and how much of it is used. Programmes
 * count without their margins. Not counted are recordings of packages that the account does not have, withheld
 * recordings, and dropped programmes before their start.
 */
export async function findQuota(
  db: Database | Transaction,
  accountId: number,
  packageIds: ReadonlySet<number>,
  now: number,
): Promise<Quota> {
  const held = sql`${sql.param(`{${[...packageIds].join(',')}}`)}::int[]`
  const at = sql`${iso(now)}::timestamptz`
  const end = sql`least(${recordedProgrammes.endsAt}, ${recordings.stoppedAt})`
  const total = (length: SQL) =>
    sql<number>`coalesce(sum(greatest(0, extract(epoch from ${length}) * 1000)), 0)::float8`
  const left = sql`${end} - greatest(${recordedProgrammes.startsAt}, ${at})`
  const [row] = await db
    .select({
      available: recordingTimeIn(packageIds),
      consumed: total(sql`least(${end}, ${at}) - ${recordedProgrammes.startsAt}`),
      planned: total(left),
      running: total(sql`case when ${recordedProgrammes.startsAt} <= ${at} then ${left} end`),
    })
    .from(recordings)
    .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .where(
      and(
        eq(recordings.accountId, accountId),
        isNull(recordings.removedAt),
        sql`not ${result.failed}`,
        isNull(recordedProgrammes.withheldAt),
        sql`(cardinality(${recordings.packageIds}) = 0 or ${recordings.packageIds} && ${held})`,
        or(isNull(recordedProgrammes.droppedAt), sql`${recordedProgrammes.startsAt} <= ${at}`),
      ),
    )
    .prepare('recording_quota')
    .execute()
  return row ?? { available: 0, consumed: 0, planned: 0, running: 0 }
}

/** The columns of a recording that decide its state and its rights, without its texts. */
const decisive = {
  id: recordings.id,
  recordedProgrammeId: recordings.recordedProgrammeId,
  accountId: recordings.accountId,
  packageIds: recordings.packageIds,
  seriesRecordingId: recordings.seriesRecordingId,
  stoppedAt: recordings.stoppedAt,
  removedAt: recordings.removedAt,
  createdAt: recordings.createdAt,
  watchedTo: recordings.watchedTo,
  watchedAt: recordings.watchedAt,
  unlistedAt: recordings.unlistedAt,
  favouriteAt: recordings.favouriteAt,
  playingUntil: recordings.playingUntil,
  channelId: recordedProgrammes.channelId,
  programmeId: recordedProgrammes.programmeId,
  startsAt: recordedProgrammes.startsAt,
  endsAt: recordedProgrammes.endsAt,
  pinnedFrom: recordedProgrammes.pinnedFrom,
  pinnedTo: recordedProgrammes.pinnedTo,
  breaks: recordedProgrammes.breaks,
  droppedAt: recordedProgrammes.droppedAt,
  withheldAt: recordedProgrammes.withheldAt,
  ...result,
  ...rating(recordedProgrammes),
}

/** Filter of a profile's recordings. */
export interface RecordingsWanted {
  profileId: number
  id?: number
  ids?: readonly number[]
  programmeId?: number
}

const wantedBy = ({ profileId, id, ids, programmeId }: RecordingsWanted) =>
  and(
    eq(recordings.profileId, profileId),
    id === undefined ? undefined : eq(recordings.id, id),
    ids === undefined ? undefined : sql`${recordings.id} = any(${sql.param(`{${ids.join(',')}}`)}::int[])`,
    programmeId === undefined ? undefined : eq(recordedProgrammes.programmeId, programmeId),
  )

/**
 * Returns the name of a prepared statement. The SQL has a condition for each field of `wanted`, so each set of
 * fields has another name.
 */
function preparedName(statement: string, { id, ids, programmeId }: RecordingsWanted): string {
  return [
    statement,
    ...(id === undefined ? [] : ['by_id']),
    ...(ids === undefined ? [] : ['by_ids']),
    ...(programmeId === undefined ? [] : ['by_programme']),
  ].join('_')
}

export type RecordingRow = NonNullable<Awaited<ReturnType<typeof findRecording>>>

/** Returns a recording of a profile, even if it is deleted. `copyId` is set only if the copy is ready. */
export async function findRecording(db: Database | Transaction, wanted: RecordingsWanted) {
  const [row] = await db
    .select({ ...decisive, copyId: recordingCopies.id })
    .from(recordings)
    .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .leftJoin(assets, eq(assets.id, recordedProgrammes.assetId))
    .leftJoin(
      recordingCopies,
      and(eq(recordingCopies.id, recordings.copyId), isNotNull(recordingCopies.readyAt)),
    )
    .where(wantedBy(wanted))
    .prepare(preparedName('recording', wanted))
    .execute()
  return row
}

export type ShownRecordingRow = Awaited<ReturnType<typeof findShownRecordings>>[number]

/** Returns the recordings that a profile has not deleted, with their texts, the latest programme first. */
export async function findShownRecordings(db: Database, wanted: RecordingsWanted) {
  return await db
    .select({
      ...decisive,
      assetId: recordedProgrammes.assetId,
      channelNames: channels.names,
      titles: sql<Record<string, string>>`coalesce(${assets.titles}, ${recordedProgrammes.titles})`,
      seriesNames: categories.names,
      subtitles: recordedProgrammes.subtitles,
      descriptions: sql<
        Record<string, string>
      >`coalesce(${assets.descriptions}, ${recordedProgrammes.descriptions})`,
      genres: sql<string[]>`coalesce(${assets.genres}, ${recordedProgrammes.genres})`,
      seasonNumber: sql<number | null>`coalesce(${assets.seasonNumber}, ${recordedProgrammes.seasonNumber})`,
      episodeNumber: sql<
        number | null
      >`coalesce(${assets.episodeNumber}, ${recordedProgrammes.episodeNumber})`,
      lastEpisodeNumber: assets.lastEpisodeNumber,
      image: sql<{ id: string; width: number; height: number; color: string } | null>`coalesce(
        case when ${images.id} is not null then jsonb_build_object(
          'id', ${images.id}, 'width', ${images.width}, 'height', ${images.height}, 'color', ${images.color}) end,
        case when ${guidePictures.imageId} <> '' then jsonb_build_object(
          'id', ${guidePictures.imageId}, 'width', ${guidePictures.width}, 'height', ${guidePictures.height},
          'color', ${guidePictures.color}) end)`,
    })
    .from(recordings)
    .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .innerJoin(channels, eq(channels.id, recordedProgrammes.channelId))
    .leftJoin(assets, eq(assets.id, recordedProgrammes.assetId))
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .leftJoin(
      images,
      eq(
        images.id,
        sql`coalesce(${assets.thumbnailImage}, ${assets.backgroundImage}, ${categories.backgroundImage}, ${recordedProgrammes.imageId})`,
      ),
    )
    .leftJoin(guidePictures, eq(guidePictures.address, recordedProgrammes.imageAddress))
    .where(and(wantedBy(wanted), isNull(recordings.removedAt)))
    .orderBy(desc(recordedProgrammes.startsAt), desc(recordings.id))
    // Prepared, because PostgreSQL takes longer to plan the joins than to run them.
    .prepare(preparedName('shown_recordings', wanted))
    .execute()
}

/**
 * Returns the recordings that a profile has begun or added to its favourites, with what decides whether they are in
 * progress. At most `limit`, the ones used last.
 */
export async function findUsedRecordings(db: Database, profileId: number, limit: number) {
  const { id, stoppedAt, watchedTo, watchedAt, unlistedAt, favouriteAt } = recordings
  return await db
    .select({
      id,
      stoppedAt,
      watchedTo,
      watchedAt,
      unlistedAt,
      favouriteAt,
      startsAt: recordedProgrammes.startsAt,
      endsAt: recordedProgrammes.endsAt,
    })
    .from(recordings)
    .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .where(
      and(
        eq(recordings.profileId, profileId),
        isNull(recordings.removedAt),
        or(isNotNull(watchedTo), isNotNull(favouriteAt)),
      ),
    )
    .orderBy(sql`greatest(${watchedAt}, ${favouriteAt}) desc`, desc(id))
    .limit(limit)
    .prepare('used_recordings')
    .execute()
}

/** Adds a recording. @returns the id of the recording */
export async function addRecording(
  tx: Transaction,
  recording: Pick<
    typeof recordings.$inferInsert,
    | 'accountId'
    | 'profileId'
    | 'recordedProgrammeId'
    | 'packageIds'
    | 'copyId'
    | 'seriesRecordingId'
    | 'createdAt'
  >,
): Promise<number> {
  const [row] = await tx
    .insert(recordings)
    .values(recording)
    .returning({ id: recordings.id })
    .prepare('add_recording')
    .execute()
  if (!row) throw new Error('The recording was not stored.')
  return row.id
}

export async function changeRecording(
  db: Database | Transaction,
  id: number,
  changes: Partial<
    Pick<
      typeof recordings.$inferInsert,
      | 'removedAt'
      | 'stoppedAt'
      | 'packageIds'
      | 'lostSince'
      | 'seriesRecordingId'
      | 'unlistedAt'
      | 'favouriteAt'
    >
  >,
): Promise<void> {
  const isWhole = changes.stoppedAt === null
  await db
    .update(recordings)
    .set({ ...changes, ...(isWhole && { failed: null, missingSeconds: null }) })
    .where(eq(recordings.id, id))
}

export async function deleteRecording(db: Database, id: number): Promise<void> {
  await db.delete(recordings).where(eq(recordings.id, id))
}

/** Returns recordings of a programme that were stopped and have no result yet, at most `limit`. */
export async function findStopped(
  db: Database,
  recordedProgrammeId: number,
  limit: number,
): Promise<{ id: number; stoppedAt: number }[]> {
  const { id, stoppedAt, failed } = recordings
  return await db
    .select({ id, stoppedAt: sql<number>`${stoppedAt}`.mapWith(stoppedAt) })
    .from(recordings)
    .where(and(eq(recordings.recordedProgrammeId, recordedProgrammeId), isNotNull(stoppedAt), isNull(failed)))
    .limit(limit)
}

/** Result of a recording that has ended. */
export interface RecordingResult {
  /** Seconds without media. */
  missingSeconds: number
  failed: boolean
}

/** Stores the results of recordings that were stopped. */
export async function settleStopped(
  db: Database,
  results: readonly ({ id: number } & RecordingResult)[],
): Promise<void> {
  await db.execute(sql`
    update recordings r set failed = given.failed, missing_seconds = given."missingSeconds"
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as given (
      id int, failed boolean, "missingSeconds" int)
    where r.id = given.id and r.stopped_at is not null`)
}

/**
 * Deletes recordings whose time has expired and that nobody plays at `now`, at most `limit`. A series recording may
 * still record a repeat of an episode that its deleted recording missed.
 *
 * @returns the number of deleted recordings
 */
export async function deleteExpired(
  db: Database,
  { failed, all }: ExpiredBefore,
  now: number,
  limit: number,
): Promise<number> {
  const endedBefore = (before: number) => sql`p.pinned_to < ${iso(before)} and r.created_at < ${iso(before)}`
  const gone = await rowsOf(
    db,
    deleteAndReopen(sql`
      select r.id from recorded_programmes p join recordings r on r.recorded_programme_id = p.id
      where (coalesce(r.failed, p.failed) and ${endedBefore(failed)}
        ${all === null ? sql`` : sql`or ${endedBefore(all)}`})
        and (r.playing_until is null or r.playing_until <= ${iso(now)}) limit ${limit}`),
  )
  return gone.length
}

/**
 * Deletes the rows of recordings that were removed before `before`, at most `limit`. Keeps the row of a cancelled
 * episode until the episode is over at `now`. The row follows the guide, so that the series recording recognises the
 * episode at another time or with other details.
 *
 * @returns the number of rows
 */
export async function deleteRemoved(
  db: Database,
  before: number,
  now: number,
  limit: number,
): Promise<number> {
  const isNeeded = sql`${recordings.seriesRecordingId} is not null and exists (
    select from recorded_programmes p
    where p.id = ${recordings.recordedProgrammeId} and p.pinned_to > ${iso(now)})`
  return await deleteSome(db, sql`${lt(recordings.removedAt, before)} and not (${isNeeded})`, limit)
}

/**
 * Deletes recordings whose packages the account lost before `before`, at most `limit`. @returns the number of
 * recordings
 */
export async function deleteLost(db: Database, before: number, limit: number): Promise<number> {
  return await deleteSome(db, lt(recordings.lostSince, before), limit)
}

async function deleteSome(db: Database, condition: SQL, limit: number): Promise<number> {
  const some = db.select({ id: recordings.id }).from(recordings).where(condition).limit(limit)
  const gone = await db
    .delete(recordings)
    // After waiting for a row lock, PostgreSQL repeats this condition, but not the condition of the subquery. So a
    // recording that was restored meanwhile stays.
    .where(and(inArray(recordings.id, some), condition))
    .returning({ id: recordings.id })
  return gone.length
}

/**
 * Marks recordings whose accounts have none of the recordings' packages (spec 53). If such a recording is not over, and
 * the account has another package of its channel, the recording gets the present packages of the channel instead.
 * Otherwise, an account that changes its packages would not see what it has planned, and could not plan it again.
 * Checks at most `limit` recordings after `afterId`.
 *
 * @returns the id of the last recording of the slice; undefined if no recordings remain
 */
export async function noteLost(
  db: Database,
  afterId: number,
  limit: number,
  now: number,
): Promise<number | undefined> {
  const holdsOneOf = (packageIds: SQL) => sql`exists (
    select from ${grants}
    where ${grants.accountId} = ${recordings.accountId} and ${grants.packageId} = any(${packageIds})
      and ${inArray(grants.statusId, [...GIVES_ACCESS])} and ${grants.validFrom} <= ${iso(now)}
      and ${endOf()} > ${iso(now)})`
  const [row] = await rowsOf<{ last: number | null }>(
    db,
    sql`
      with slice as (
        select ${recordings.id} as id, cardinality(${recordings.packageIds}) > 0
          and not ${holdsOneOf(sql`${recordings.packageIds}`)} as is_lost
        from ${recordings} where ${recordings.id} > ${afterId} order by ${recordings.id} limit ${limit}
      ), changed as (
        select ${recordings.id} as id, present.package_ids
        from slice join ${recordings} on ${recordings.id} = slice.id
        join ${recordedProgrammes} on ${recordedProgrammes.id} = ${recordings.recordedProgrammeId}
        join ${channels} on ${channels.id} = ${recordedProgrammes.channelId}
        cross join lateral (
          select case when ${channels.free} then '{}' else array(
            select ${packageChannels.packageId} from ${packageChannels}
            where ${packageChannels.channelId} = ${channels.id}) end as package_ids) as present
        where slice.is_lost and ${recordedProgrammes.settledAt} is null
          and (${channels.free} or ${holdsOneOf(sql`present.package_ids`)})
      ), renewed as (
        update recordings r set package_ids = changed.package_ids, lost_since = null
        from changed where r.id = changed.id
      ), noted as (
        update recordings r set lost_since = case when slice.is_lost then ${iso(now)}::timestamptz end from slice
        where r.id = slice.id and slice.is_lost <> (r.lost_since is not null)
          and not exists (select from changed where changed.id = r.id)
      )
      select max(id) as last from slice`,
  )
  return row?.last ?? undefined
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
