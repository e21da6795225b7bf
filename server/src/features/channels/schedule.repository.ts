import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Texts } from '../../database/columns.ts'
import type { Database, Transaction } from '../../database/connection.ts'
import { assets, categories, medias } from '../catalogue/catalogue.table.ts'
import { channels, scheduleEntries } from './channels.table.ts'
import type { PlannedEntry } from './schedule.ts'
import type { ScheduleRules } from './schedule-rules.ts'

type ChannelFields = typeof channels.$inferSelect

/** What the schedule of a channel is made from. */
export type ScheduledChannel = Pick<ChannelFields, 'id' | 'sourceKey' | 'layout' | 'cursor' | 'startedAt'> & {
  rules: ScheduleRules
}

const scheduledColumns = {
  id: channels.id,
  sourceKey: channels.sourceKey,
  // Every channel that is scheduled has them.
  rules: sql<ScheduleRules>`${channels.rules}`,
  layout: channels.layout,
  cursor: channels.cursor,
  startedAt: channels.startedAt,
}

/** Channels whose schedule ends before `until`, and those that have none yet; at most `limit`, after `afterId`. */
export async function findChannelsDue(
  db: Database,
  until: number,
  afterId: number,
  limit: number,
): Promise<ScheduledChannel[]> {
  return await db
    .select(scheduledColumns)
    .from(channels)
    .where(
      and(
        isNotNull(channels.rules),
        gt(channels.id, afterId),
        or(isNull(channels.scheduledUntil), lt(channels.scheduledUntil, until)),
      ),
    )
    .orderBy(asc(channels.id))
    .limit(limit)
}

/** Takes a channel for this transaction; undefined when another process has it, or when it has gone. */
export async function lockChannel(tx: Transaction, id: number): Promise<ScheduledChannel | undefined> {
  const [row] = await tx
    .select(scheduledColumns)
    .from(channels)
    .where(and(eq(channels.id, id), isNotNull(channels.rules)))
    .for('update', { skipLocked: true })
  return row
}

/** Where a channel's schedule has come to. */
export type Progress = Pick<ChannelFields, 'layout' | 'cursor' | 'startedAt'>

/** Adds entries to a channel and moves its cursor: both or neither, so that a killed process leaves no hole. */
export async function appendEntries(
  tx: Transaction,
  channelId: number,
  entries: readonly PlannedEntry[],
  titlesOf: (assetId: number) => Texts,
  progress: Progress,
): Promise<void> {
  // One parameter for all rows: the statement is the same text however many there are.
  const rows = entries.map((entry) => ({
    position: entry.position,
    kind: entry.kind,
    starts_at: new Date(entry.startsAt).toISOString(),
    ends_at: new Date(entry.endsAt).toISOString(),
    asset_id: entry.piece.assetId,
    track_set_id: entry.piece.trackSetId,
    segment_count: entry.piece.segmentCount,
    media_sequence: entry.mediaSequence,
    discontinuity_sequence: entry.discontinuitySequence,
  }))
  if (rows.length > 0) {
    await tx.execute(sql`
      insert into schedule_entries (
        channel_id, position, kind, starts_at, ends_at, asset_id,
        track_set_id, first_segment, segment_count, media_sequence, discontinuity_sequence
      )
      select ${channelId}::int, position, kind::schedule_entry_kind, starts_at, ends_at, asset_id,
        track_set_id, 0, segment_count, media_sequence, discontinuity_sequence
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
        position int, kind text, starts_at timestamptz, ends_at timestamptz, asset_id int,
        track_set_id text, segment_count int, media_sequence bigint, discontinuity_sequence bigint
      )`)
    await announce(tx, channelId, entries, titlesOf)
  }
  await tx
    .update(channels)
    .set({ ...progress, scheduledUntil: progress.cursor?.endsAt ?? null })
    .where(eq(channels.id, channelId))
}

/** Writes the programmes of new entries into the guide, each with the filler after it. */
async function announce(
  tx: Transaction,
  channelId: number,
  entries: readonly PlannedEntry[],
  titlesOf: (assetId: number) => Texts,
): Promise<void> {
  const rows = entries
    .filter(({ kind }) => kind === 'programme')
    .map(({ position, startsAt, shownUntil, piece }) => ({
      universal_id: `${channelId}-${position}`,
      starts_at: new Date(startsAt).toISOString(),
      ends_at: new Date(shownUntil).toISOString(),
      asset_id: piece.assetId,
      titles: titlesOf(piece.assetId),
    }))
  await tx.execute(sql`
    insert into programmes (channel_id, universal_id, starts_at, ends_at, asset_id, titles)
    select ${channelId}::int, universal_id, starts_at, ends_at, asset_id, titles
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (
      universal_id text, starts_at timestamptz, ends_at timestamptz, asset_id int, titles jsonb
    )`)
}

/** Forgets entries that ended before `before`: at most `limit`, so that the statement stays short. @returns how many went. */
export async function trimEntries(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ channelId: scheduleEntries.channelId, position: scheduleEntries.position })
    .from(scheduleEntries)
    .where(lte(scheduleEntries.endsAt, before))
    .limit(limit)
  const gone = await db
    .delete(scheduleEntries)
    .where(sql`(${scheduleEntries.channelId}, ${scheduleEntries.position}) in ${old}`)
    .returning({ position: scheduleEntries.position })
  return gone.length
}

/** A film, an episode, or the trailer of a series, as rules find it by its title. */
export interface ShelfRow {
  /** Null for a series itself, which only has a trailer. */
  assetId: number | null
  titles: Texts
  seriesId: number | null
  seriesNames: Texts | null
  ready: boolean
  mainTrackSetId: string | null
  trailerTrackSetId: string | null
}

/** Everything that goes by one of these titles, in any language: films, and the episodes of series in their order. */
export async function findByTitles(
  db: Database,
  titles: readonly string[],
  now: number,
): Promise<ShelfRow[]> {
  if (titles.length === 0) return []
  const wanted = JSON.stringify(titles.map((title) => title.toLowerCase()))
  // As the indexes have it: a catalogue has fifty thousand titles, and this is asked all the time.
  const isNamed = (texts: typeof assets.titles | typeof categories.names) =>
    sql`lower_texts(${texts}) && array(select jsonb_array_elements_text(${wanted}::jsonb))`
  const trackSetOf = (
    kind: 'main' | 'trailer',
    of: typeof medias.assetId | typeof medias.categoryId,
    id: unknown,
  ) =>
    sql<
      string | null
    >`(select ${medias.trackSetId} from ${medias} where ${of} = ${id} and ${medias.kind} = ${kind} order by ${medias.id} limit 1)`
  const seriesIds = db
    .select({ id: categories.id })
    .from(categories)
    .where(and(eq(categories.kind, 'series'), isNamed(categories.names)))
  return await db
    .select({
      assetId: assets.id,
      titles: assets.titles,
      seriesId: assets.serieId,
      seriesNames: categories.names,
      ready: sql<boolean>`${assets.availability} = 'ready'`,
      mainTrackSetId: trackSetOf('main', medias.assetId, assets.id),
      trailerTrackSetId: sql<
        string | null
      >`coalesce(${trackSetOf('trailer', medias.assetId, assets.id)}, ${trackSetOf('trailer', medias.categoryId, assets.serieId)})`,
    })
    .from(assets)
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .where(
      and(
        inArray(assets.availability, ['ready', 'preparing']),
        lte(assets.validFrom, now),
        or(isNull(assets.validTo), gt(assets.validTo, now)),
        or(isNamed(assets.titles), sql`${assets.serieId} = any (array(${seriesIds}))`),
      ),
    )
    .orderBy(asc(assets.serieId), asc(assets.seasonNumber), asc(assets.episodeNumber), asc(assets.id))
}
