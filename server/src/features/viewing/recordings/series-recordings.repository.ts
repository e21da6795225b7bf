import { and, asc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { manyRowsOf, rowsOf } from '../../../database/rows.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { unavailableSince } from './dropped-recordings.repository.ts'
import { seriesRecordings } from './recordings.table.ts'

/** A series, identified by its id in the library, or else by the titles of its programmes. */
export interface Series {
  categoryId: number | null
  titles: LocalisedText
}

/** Returns the series of a programme; undefined for a film of the library. */
export async function findSeries(db: Database, programmeId: number): Promise<Series | undefined> {
  const [row] = await db
    .select({
      assetId: programmes.assetId,
      categoryId: assets.serieId,
      titles: programmes.titles,
      names: categories.names,
    })
    .from(programmes)
    .leftJoin(assets, eq(assets.id, programmes.assetId))
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .where(eq(programmes.id, programmeId))
  if (!row || (row.assetId !== null && row.categoryId === null)) return undefined
  return { categoryId: row.categoryId, titles: row.names ?? row.titles }
}

export type SeriesRow = Awaited<ReturnType<typeof findSeriesRecordings>>[number]

/**
 * SQL condition that two columns have titles of the same series: equal titles in all languages that both have, and at
 * least one such language. A guide may add a title in another language later. One equal title is not enough, because
 * different series may have the same translated title, such as "News".
 */
const haveSameTitles = (one: SQL, other: SQL) => sql`(
  select bool_and(one_title.value = other_title.value)
  from jsonb_each(${one}) as one_title join jsonb_each(${other}) as other_title on other_title.key = one_title.key
) is true`

/** SQL condition that two series recordings record the same series. The arguments are aliases. */
function isSameSeries(one: string, other: string): SQL {
  const of = (alias: string, column: string) => sql.raw(`${alias}.${column}`)
  return sql`case when ${of(other, 'category_id')} is null
    then ${of(one, 'category_id')} is null and ${haveSameTitles(of(one, 'titles'), of(other, 'titles'))}
    else ${of(one, 'category_id')} = ${of(other, 'category_id')} end`
}

/** SQL condition that a series recording records a series. */
function records({ categoryId, titles }: Series): SQL {
  return categoryId === null
    ? sql`${seriesRecordings.categoryId} is null
        and ${haveSameTitles(sql`${seriesRecordings.titles}`, sql`${JSON.stringify(titles)}::jsonb`)}`
    : eq(seriesRecordings.categoryId, categoryId)
}

/**
 * SQL condition that a recording counts towards the `keepLast` of its series: it is complete. Aliases: `r` is the
 * recording, `rp` its recorded programme.
 */
const IS_COMPLETE = sql.raw(
  `(r.removed_at is null and rp.settled_at is not null and not coalesce(r.failed, rp.failed))`,
)

/**
 * Returns the series recordings of a profile, with the names of their channels. A series of the library has its
 * present name.
 *
 * @param series returns only the recordings of this series
 */
export async function findSeriesRecordings(db: Database, profileId: number, series?: Series) {
  const recordedBy = (rules: SQL) => sql<number>`(
    select count(*)::int from series_recordings s join recordings r on r.series_recording_id = s.id
    join recorded_programmes rp on rp.id = r.recorded_programme_id
    where ${rules} and ${IS_COMPLETE})`
  return await db
    .select({
      id: seriesRecordings.id,
      titles: sql<LocalisedText>`coalesce(${categories.names}, ${seriesRecordings.titles})`,
      episodes: seriesRecordings.episodes,
      channelId: seriesRecordings.channelId,
      channelNames: channels.names,
      keepLast: seriesRecordings.keepLast,
      recorded: recordedBy(sql`s.id = ${seriesRecordings.id}`),
      recordedOnAny: recordedBy(
        sql`s.profile_id = ${seriesRecordings.profileId} and s.removed_at is null
          and ${isSameSeries('s', 'series_recordings')}`,
      ),
      isFull: seriesRecordings.isFull,
    })
    .from(seriesRecordings)
    .leftJoin(channels, eq(channels.id, seriesRecordings.channelId))
    .leftJoin(categories, eq(categories.id, seriesRecordings.categoryId))
    .where(
      and(
        eq(seriesRecordings.profileId, profileId),
        isNull(seriesRecordings.removedAt),
        series && records(series),
      ),
    )
    .orderBy(asc(seriesRecordings.id))
}

/** How a series is recorded. */
export type SeriesRule = Pick<typeof seriesRecordings.$inferInsert, 'episodes' | 'channelId' | 'keepLast'>

/**
 * Stores the rule by which a profile records a series. Replaces an earlier rule, but not the rule for another channel:
 * series of the same title on two channels can be different series. @returns the id of the series recording
 */
export async function putSeriesRecording(
  tx: Transaction,
  owner: { accountId: number; profileId: number },
  series: Series,
  rule: SeriesRule,
): Promise<number> {
  const [changed] = await tx
    .update(seriesRecordings)
    .set({ ...rule, isFull: false })
    .where(
      eq(
        seriesRecordings.id,
        tx
          .select({ id: seriesRecordings.id })
          .from(seriesRecordings)
          .where(
            and(
              eq(seriesRecordings.profileId, owner.profileId),
              records(series),
              isNull(seriesRecordings.removedAt),
              rule.channelId == null
                ? undefined
                : or(isNull(seriesRecordings.channelId), eq(seriesRecordings.channelId, rule.channelId)),
            ),
          )
          .orderBy(asc(seriesRecordings.id))
          .limit(1),
      ),
    )
    .returning({ id: seriesRecordings.id })
  if (changed) {
    await takeOverOthers(tx, changed.id)
    return changed.id
  }
  const [added] = await tx
    .insert(seriesRecordings)
    .values({ ...owner, ...series, ...rule })
    .returning({ id: seriesRecordings.id })
  if (!added) throw new Error('The series recording was not stored.')
  return added.id
}

/**
 * Merges the profile's other recordings of a series into a series recording for any channel. Does nothing for a series
 * recording of a single channel.
 */
async function takeOverOthers(tx: Transaction, id: number): Promise<void> {
  const others = sql`
    select other.id, other.handled from series_recordings s join series_recordings other
      on other.profile_id = s.profile_id and other.id <> s.id and other.removed_at is null and ${isSameSeries('other', 's')}
    where s.id = ${id} and s.channel_id is null`
  await tx.execute(sql`
    with others as (${others}), moved as (
      update recordings set series_recording_id = ${id} where series_recording_id in (select id from others)
    )
    update series_recordings set handled = handled || array(select unnest(handled) from others) where id = ${id}`)
  await tx.execute(sql`delete from series_recordings where id in (select id from (${others}) as others)`)
}

/** Changes the rule of a series recording. @returns false if the profile has no series recording with this id */
export async function updateSeriesRecording(
  tx: Transaction,
  profileId: number,
  id: number,
  { anyChannel, ...rule }: Pick<SeriesRule, 'episodes' | 'keepLast'> & { anyChannel: boolean },
): Promise<boolean> {
  const changed = await tx
    .update(seriesRecordings)
    .set({ ...rule, ...(anyChannel && { channelId: null }), isFull: false })
    .where(ownedBy(profileId, id))
    .returning({ id: seriesRecordings.id })
  if (changed.length > 0) await takeOverOthers(tx, id)
  return changed.length > 0
}

/**
 * SQL key of an episode, equal for all its showings. `of` is the alias of a row of the guide (`p` or `g`), or of a
 * recorded programme (`rp`). The key is null for a recorded programme that only its time identifies, and that the
 * guide no longer contains.
 */
const episodeKey = (of: 'p' | 'g' | 'rp') =>
  sql.raw(`md5(case
    when ${of}.asset_id is not null then ${of}.asset_id::text
    when ${of}.episode_number is not null or ${of}.subtitles <> '{}' then
      concat_ws(' ', ${of}.titles, ${of}.subtitles, ${of}.season_number, ${of}.episode_number)
    else 'showing ' || ${of}.${of === 'rp' ? 'programme_id' : 'id'} end)`)

/**
 * SQL condition that a recording missed its episode: the guide dropped the programme, or the recording failed. A drop
 * counts only after the viewers were told of it, because the guide may be wrong for a while. False for a recording that
 * the viewer deleted, and for a failed one that the viewer stopped. Aliases: `r` is the recording, `rp` its recorded
 * programme.
 */
const IS_MISSED = sql.raw(
  `(r.removed_at is null and (
    rp.dropped_at is not null and (rp.drop_told_at >= ${unavailableSince('rp')} or rp.settled_at is not null)
    or rp.failed and r.stopped_at is null))`,
)

/**
 * SQL condition that a recording of a series is planned or runs. Recordings without recording time do not count: the
 * guide has dropped or forbidden their programmes. Aliases: `r` is the recording, `rp` its recorded programme.
 */
const IS_AHEAD = sql.raw(
  `(r.removed_at is null and rp.settled_at is null and rp.dropped_at is null and rp.withheld_at is null)`,
)

/**
 * Returns a SQL statement that deletes recordings and returns their ids. If a recording missed its episode or was
 * withheld, its series recording may record the episode again.
 *
 * @param some subquery that selects the ids of recordings
 */
export function deleteAndReopen(some: SQL): SQL {
  return sql`
    with gone as (
      delete from recordings r using recorded_programmes rp
      where rp.id = r.recorded_programme_id and r.id in (${some})
      returning r.id, ${episodeKey('rp')} as key,
        case when ${IS_MISSED} or r.removed_at is null and rp.withheld_at is not null
          then r.series_recording_id end as series_id),
    reopened as (
      update series_recordings s
      set handled = array(
        select unnest(s.handled) except all select key from gone where series_id = s.id)
      where s.id in (select series_id from gone))
    select id from gone`
}

/**
 * Lets series recordings record programmes again that only their ids in the guide identify. Call the function before
 * recorded programmes lose these ids, because their keys are null then. Programmes with an episode keep their keys.
 *
 * @param some subquery that selects the ids of recorded programmes
 */
export async function reopenShowings(tx: Transaction, some: SQL): Promise<void> {
  await tx.execute(sql`
    with reopened as (
      select r.series_recording_id as series_id, ${episodeKey('rp')} as key
      from recordings r join recorded_programmes rp on rp.id = r.recorded_programme_id
      where rp.id in (${some}) and r.series_recording_id is not null and r.removed_at is null
        and ${episodeKey('rp')} = md5('showing ' || rp.programme_id))
    update series_recordings s
    set handled = array(select unnest(s.handled) except all select key from reopened where series_id = s.id)
    where s.id in (select series_id from reopened)`)
}

/**
 * Deletes the planned recordings of a series that the new rule excludes: repeats, recordings on another channel, and
 * the last ones if the rule keeps fewer recordings. The series recording may still record these episodes.
 */
export async function cancelLeftOut(tx: Transaction, id: number, now: number): Promise<void> {
  await tx.execute(sql`
    with ahead as (
      select r.id, row_number() over (order by rp.starts_at, r.id) as place
      from recordings r join recorded_programmes rp on rp.id = r.recorded_programme_id
      where r.series_recording_id = ${id} and ${IS_AHEAD}
    ), left_out as (
      delete from recordings r
      using series_recordings s, recorded_programmes p join programmes g on g.id = p.programme_id
      where s.id = ${id} and r.series_recording_id = s.id and r.removed_at is null
        and p.id = r.recorded_programme_id and p.pinned_from > ${iso(now)}
        and (p.channel_id <> s.channel_id or s.episodes = 'new' and g.is_repeat
          or r.id in (select ahead.id from ahead where ahead.place > s.keep_last + 1))
      returning ${episodeKey('g')} as key)
    update series_recordings s
    set handled = array(select unnest(s.handled) except all select key from left_out)
    where s.id = ${id}`)
}

/** Selects a series recording that a profile has not ended. */
function ownedBy(profileId: number, id: number) {
  const { profileId: owner, removedAt } = seriesRecordings
  return and(eq(seriesRecordings.id, id), eq(owner, profileId), isNull(removedAt))
}

/** Returns whether a series recording exists and has not been ended. */
export async function isSeriesGoingOn(tx: Transaction, id: number): Promise<boolean> {
  const { id: seriesId, removedAt } = seriesRecordings
  const [row] = await tx
    .select({ id: seriesId })
    .from(seriesRecordings)
    .where(and(eq(seriesId, id), isNull(removedAt)))
  return row !== undefined
}

/**
 * Ends a series recording, and cancels its planned recordings. @returns false if the profile has no series
 * recording with this id
 */
export async function endSeriesRecording(
  tx: Transaction,
  profileId: number,
  id: number,
  now: number,
): Promise<boolean> {
  const ended = await tx
    .update(seriesRecordings)
    .set({ removedAt: now })
    .where(ownedBy(profileId, id))
    .returning({ id: seriesRecordings.id })
  if (ended.length === 0) return false
  await tx.execute(sql`
    update recordings r set removed_at = ${iso(now)} from recorded_programmes p
    where r.series_recording_id = ${id} and r.removed_at is null
      and p.id = r.recorded_programme_id and p.pinned_from > ${iso(now)}`)
  return true
}

/**
 * Resumes a series recording that was ended at `since` or later. Restores the recordings that were cancelled with
 * it, including withheld recordings, because a later guide may allow them.
 *
 * @returns false if the profile has no series recording with this id, or records the series again
 */
export async function restoreSeriesRecording(
  tx: Transaction,
  profileId: number,
  id: number,
  since: number,
): Promise<boolean> {
  const restored = await rowsOf(
    tx,
    sql`
      with ended as (
        select * from series_recordings s
        where s.id = ${id} and s.profile_id = ${profileId} and s.removed_at >= ${iso(since)} and not exists (
          select from series_recordings again
          where again.profile_id = s.profile_id and again.removed_at is null
            and ${isSameSeries('again', 's')}
            and (again.channel_id is null or s.channel_id is null or again.channel_id = s.channel_id))
      ), planned as (
        update recordings r set removed_at = null
        from ended
        where r.series_recording_id = ended.id and r.removed_at = ended.removed_at
      )
      update series_recordings s set removed_at = null from ended where s.id = ended.id returning s.id`,
  )
  return restored.length > 0
}

/**
 * Deletes series recordings that ended before `before`, at most `limit`. @returns the number of series recordings
 */
export async function deleteEndedSeries(db: Database, before: number, limit: number): Promise<number> {
  const { id, removedAt } = seriesRecordings
  const some = db.select({ id }).from(seriesRecordings).where(lt(removedAt, before)).limit(limit)
  // The condition is repeated, because a row may be restored while the deletion waits for it.
  const gone = await db
    .delete(seriesRecordings)
    .where(and(inArray(id, some), lt(removedAt, before)))
    .returning({ id })
  return gone.length
}

/**
 * Maximum number of showings of an episode that are read for each channel. If the viewer may record none of them, a
 * later run reads the next ones.
 */
const MOST_SHOWINGS = 3

/** A showing of an episode that a series recording has to record. */
export interface MissingShowing {
  seriesRecordingId: number
  accountId: number
  profileId: number
  programmeId: number
  channelId: number
  /** Key of the episode, equal for all its showings. */
  key: string
  /**
   * This showing may be recorded only if the current run has recorded fewer episodes than this number. Null if the
   * number of episodes is not limited: the series recording keeps all recordings, or the showing begins soon.
   */
  room: number | null
}

/**
 * Episodes that begin within this time, in milliseconds, are recorded even beyond the number of planned recordings.
 * The time is longer than the hour between two jobs. Otherwise several short episodes could be over before the next
 * job plans the ones after them.
 */
const SOON_MS = 90 * 60_000

/**
 * Returns the running and coming showings of the episodes that series recordings still have to record, by series and
 * time. Leaves out episodes that the series recording has already recorded, and episodes for which the profile has a
 * recording. Recordings that missed their episodes do not count. Each episode has its first showings on each channel,
 * because the viewer may not record all of them.
 *
 * If a series recording keeps the last n recordings, at most n + 1 recordings are planned or running at a time.
 * Otherwise, a daily series in a guide of two weeks would reserve recording time that it never uses. An episode that
 * the guide announces later, and that begins before these recordings, is returned too.
 */
export async function findMissingShowings(
  db: Database,
  seriesRecordingIds: readonly number[],
  now: number,
): Promise<MissingShowing[]> {
  const coming = sql.raw(`c.id, c.channel_id, c.starts_at, c.asset_id, c.titles, c.subtitles, c.season_number,
    c.episode_number, c.is_repeat`)
  return await manyRowsOf<MissingShowing>(
    db,
    sql`
      -- Materialised, so that the subqueries run once for each series.
      with s as materialized (
        select s.*, array(
            select ${episodeKey('rp')} from recordings r join recorded_programmes rp on rp.id = r.recorded_programme_id
            where r.series_recording_id = s.id and ${IS_MISSED}
          ) as missed, array(
            select rp.starts_at from recordings r join recorded_programmes rp on rp.id = r.recorded_programme_id
            where s.keep_last is not null and r.series_recording_id = s.id and ${IS_AHEAD}
          ) as ahead
        from series_recordings s
        where s.id = any(${list(seriesRecordingIds)}) and s.removed_at is null
      )
      select id as "seriesRecordingId", account_id as "accountId", profile_id as "profileId",
        programme_id as "programmeId", channel_id as "channelId", key, room
      from (
        select s.id, s.account_id, s.profile_id, p.id as programme_id, p.channel_id, p.starts_at, episode.key,
          places.room, row_number() over (partition by s.id, episode.key, p.channel_id order by p.starts_at) as place
        from s
        -- Two branches, so that each finds its programmes by an index.
        cross join lateral (
          select ${coming} from assets a join programmes c on c.asset_id = a.id and c.ends_at > ${iso(now)}
          where a.serie_id = s.category_id
          union all
          select distinct ${coming} from jsonb_each(s.titles) as title join programmes c
            on c.asset_id is null and c.titles @> jsonb_build_object(title.key, title.value)
              and c.ends_at > ${iso(now)}
          where s.category_id is null and ${haveSameTitles(sql.raw('c.titles'), sql.raw('s.titles'))}
        ) as p
        cross join lateral (select ${episodeKey('p')} as key) as episode
        cross join lateral (
          select case when p.starts_at >= ${iso(now + SOON_MS)} then s.keep_last + 1 - count(*) end as room
          from unnest(s.ahead) as starts_at where starts_at <= p.starts_at
        ) as places
        where (s.channel_id is null or p.channel_id = s.channel_id)
          and (s.episodes = 'all' or not p.is_repeat)
          and (places.room is null or places.room > 0)
          -- Each recording of an episode adds its key once. So the episode is open if all these recordings missed it.
          and (episode.key <> all(s.handled)
            or cardinality(array_positions(s.handled, episode.key))
              <= cardinality(array_positions(s.missed, episode.key)))
          and not exists (
            select from recordings r join recorded_programmes rp on rp.id = r.recorded_programme_id
            where r.profile_id = s.profile_id and not ${IS_MISSED} and (
              rp.programme_id = p.id or rp.asset_id = p.asset_id
              or rp.titles = p.titles and rp.subtitles = p.subtitles
                and rp.season_number is not distinct from p.season_number
                and rp.episode_number is not distinct from p.episode_number
                and (p.episode_number is not null or p.subtitles <> '{}')))
      ) as missing
      where place <= ${MOST_SHOWINGS}
      order by id, starts_at, programme_id`,
  )
}

/** Returns the ids of series recordings after `afterId`, at most `limit`. */
export async function findSeriesIds(db: Database, afterId: number, limit: number): Promise<number[]> {
  const rows = await db
    .select({ id: seriesRecordings.id })
    .from(seriesRecordings)
    .where(sql`${seriesRecordings.id} > ${afterId} and ${seriesRecordings.removedAt} is null`)
    .orderBy(asc(seriesRecordings.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Result of recording the episodes of a series. */
export interface EpisodesRecorded {
  id: number
  /** Keys of the recorded episodes. */
  handled: string[]
  isFull: boolean
}

/** Stores the results of series recordings. */
export async function noteEpisodes(db: Database, results: readonly EpisodesRecorded[]): Promise<void> {
  await db.execute(sql`
    update series_recordings s set is_full = given."isFull", handled = s.handled || given.handled
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as given (id int, handled text[], "isFull" boolean)
    where s.id = given.id and (s.is_full <> given."isFull" or given.handled <> '{}')`)
}

/**
 * Deletes the oldest complete recordings of series recordings that exceed their `keepLast`, at most `limit`. Spares
 * recordings that are played at `now`, until a later call. The deletion cannot be undone.
 *
 * @returns the number of deleted recordings
 */
export async function removeBeyondKept(db: Database, now: number, limit: number): Promise<number> {
  const gone = await rowsOf(
    db,
    sql`
      update recordings set removed_at = ${iso(now)} where id in (
        select id from (
          select r.id, r.playing_until, s.keep_last, row_number() over (partition by s.id order by rp.starts_at desc) as place
          from series_recordings s
          join recordings r on r.series_recording_id = s.id
          join recorded_programmes rp on rp.id = r.recorded_programme_id and ${IS_COMPLETE}
          where s.keep_last is not null and s.removed_at is null
        ) as kept
        where place > keep_last and (playing_until is null or playing_until <= ${iso(now)}) limit ${limit})
      returning id`,
  )
  return gone.length
}

function list(ids: readonly number[]) {
  return sql`${sql.param(`{${ids.join(',')}}`)}::int[]`
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
