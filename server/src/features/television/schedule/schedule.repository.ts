import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { channels, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import type { ProgrammeBlock, ScheduleRules } from '../../inventory/line-up/schedule-rules.service.ts'
import { isUnpinned, lockPins } from '../../inventory/recorded-programmes/pinned-intervals.service.ts'
import { assets, categories, medias } from '../../inventory/titles/titles.table.ts'
import { announceProgrammes, endProgramme } from '../guide-import/programmes.service.ts'
import type { Announcement, SchedulePlan } from './schedule.ts'

type ChannelFields = typeof channels.$inferSelect

/** Fields of a channel that scheduling needs. */
export type ScheduledChannel = Pick<ChannelFields, 'id' | 'sourceKey' | 'layout' | 'cursor' | 'startedAt'> & {
  rules: ScheduleRules
}

const scheduledColumns = {
  id: channels.id,
  sourceKey: channels.sourceKey,
  // Every scheduled channel has rules. Rules that an older version stored lack `blocks`.
  rules: sql<ScheduleRules>`'{"blocks": []}'::jsonb || ${channels.rules}`,
  layout: channels.layout,
  cursor: channels.cursor,
  startedAt: channels.startedAt,
}

/**
 * Returns channels whose schedule ends before `until`, or that have no schedule yet. Returns at most `limit`
 * channels with ids above `afterId`, in ascending order of ids.
 */
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

/**
 * Locks a channel until the database transaction `tx` ends, and returns the channel. Returns undefined if another
 * process has locked the channel, or if it was deleted.
 */
export async function lockChannel(tx: Transaction, id: number): Promise<ScheduledChannel | undefined> {
  const [row] = await tx
    .select(scheduledColumns)
    .from(channels)
    .where(and(eq(channels.id, id), isNotNull(channels.rules)))
    .for('update', { skipLocked: true })
  return row
}

/** How far a channel is scheduled, and with which layout. */
export type Progress = Pick<ChannelFields, 'layout' | 'cursor' | 'startedAt'>

/** Names and ratings of library titles, for programmes in the guide. */
export interface TitleFacts {
  titlesOf(assetId: number): LocalisedText
  /** Returns the highest of the known ratings of these titles; null if no rating is known. */
  highestRating(titles: readonly string[]): { moralityLevel: number; adult: boolean } | null
}

/**
 * Appends entries to the schedule of a channel and moves its cursor. Both happen in one transaction, so that a
 * killed process leaves no gap.
 */
export async function appendEntries(
  tx: Transaction,
  channelId: number,
  { entries, announcements, removedBlock }: Omit<SchedulePlan, 'cursor'>,
  facts: TitleFacts,
  progress: Progress,
): Promise<void> {
  // Pass all rows as one parameter, so that the statement's text does not depend on the number of rows.
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
  }
  await announce(tx, channelId, announcements, facts)
  if (removedBlock) await endProgramme(tx, channelId, removedBlock)
  await tx
    .update(channels)
    .set({ ...progress, scheduledUntil: progress.cursor?.endsAt ?? null })
    .where(eq(channels.id, channelId))
}

/** Level of titles without a rating. This level hides them from children. */
const UNRATED_LEVEL = 6

/** Writes new programmes into the guide. Also updates earlier blocks whose final end is known now. */
async function announce(
  tx: Transaction,
  channelId: number,
  announcements: readonly Announcement[],
  facts: TitleFacts,
): Promise<void> {
  await announceProgrammes(
    tx,
    channelId,
    announcements.map(({ position, startsAt, endsAt, shows }) => ({
      universalId: `${channelId}-${position}`,
      startsAt,
      endsAt,
      ...('block' in shows
        ? describeBlock(shows.block, facts)
        : {
            assetId: shows.assetId,
            titles: facts.titlesOf(shows.assetId),
            descriptions: {},
            genres: [],
            moralityLevel: UNRATED_LEVEL,
            adult: false,
            imageId: null,
          }),
    })),
  )
}

function describeBlock(block: ProgrammeBlock, facts: TitleFacts) {
  const { title, synopsis, genres, titles, imageId } = block
  const highest = facts.highestRating(titles) ?? { moralityLevel: UNRATED_LEVEL, adult: false }
  return {
    assetId: null,
    titles: title,
    descriptions: synopsis,
    genres,
    moralityLevel: block.moralityLevel ?? highest.moralityLevel,
    adult: highest.adult,
    imageId,
  }
}

/**
 * Deletes entries that ended before `before` and that no recording pins. Deletes at most `limit` entries, so that
 * the statement stays short. Skips channels that another transaction has locked.
 *
 * @returns the number of deleted entries.
 */
export async function trimEntries(db: Database, before: number, limit: number): Promise<number> {
  const { channelId, position, startsAt, endsAt } = scheduleEntries
  const isDue = and(lte(endsAt, before), isUnpinned(db, { channelId, from: startsAt, to: endsAt }))
  return await db.transaction(async (tx) => {
    const due = await tx.select({ channelId, position }).from(scheduleEntries).where(isDue).limit(limit)
    if (due.length === 0) return 0
    const locked = await lockPins(
      tx,
      due.map((entry) => entry.channelId),
    )
    const gone = await tx
      .delete(scheduleEntries)
      .where(
        and(
          isDue,
          inArray(channelId, locked),
          sql`(${channelId}, ${position}) in (
            select "channelId", position from jsonb_to_recordset(${JSON.stringify(due)}::jsonb)
              as given ("channelId" int, position int))`,
        ),
      )
      .returning({ position })
    return gone.length
  })
}

/** A film, an episode, or the trailer of a series, found by a title in the rules. */
export interface ResolvedRow {
  /** Null for a series, which only has a trailer. */
  assetId: number | null
  titles: LocalisedText
  seriesId: number | null
  seriesNames: LocalisedText | null
  /** Age level, 0 to 6. */
  moralityLevel: number
  adult: boolean
  ready: boolean
  mainTrackSetId: string | null
  trailerTrackSetId: string | null
}

/**
 * Returns all library content with one of these titles, in any language: films, and the episodes of series in
 * order.
 */
export async function findByTitles(
  db: Database,
  titles: readonly string[],
  now: number,
): Promise<ResolvedRow[]> {
  if (titles.length === 0) return []
  const wanted = JSON.stringify(titles.map((title) => title.toLowerCase()))
  // The expression must match the index: a catalogue may have fifty thousand titles, and this query runs
  // constantly.
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
      moralityLevel: assets.moralityLevel,
      adult: assets.adult,
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
    .orderBy(
      asc(assets.serieId),
      // Sort specials, which are season 0, after the regular seasons.
      sql`${assets.seasonNumber} = 0`,
      asc(assets.seasonNumber),
      asc(assets.episodeNumber),
      asc(assets.id),
    )
}
