import type { Layout } from '@ondine/media/layout'
import type { TrackSet } from '@ondine/media/track-set'
import { and, asc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { channels, liveSets, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { assets, trackSets } from '../../inventory/titles/titles.table.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import { LONGEST_PROGRAMME_MS } from '../../television/guide-import/guide.table.ts'
import type { EntryRow } from '../../television/schedule/schedule-entry.ts'

/**
 * Returns whether the media of a channel comes from a live input. A relay channel may still have media from the time
 * when it was a live channel.
 */
export async function findIsLive(db: Database, channelId: number): Promise<boolean> {
  const [row] = await db.select({ kind: channels.kind }).from(channels).where(eq(channels.id, channelId))
  return row !== undefined && row.kind !== 'library'
}

/** TrackSet of a live channel, with its place on the clock. */
export type LiveSetRow = Pick<
  typeof liveSets.$inferSelect,
  | 'position'
  | 'startsAt'
  | 'endsAt'
  | 'joint'
  | 'isSlate'
  | 'isRecordingForbidden'
  | 'mediaSequence'
  | 'discontinuitySequence'
> & { document: TrackSet }

/**
 * Returns the TrackSets of a live channel that still grow or end after `from`, in order. Leaves out TrackSets
 * before `position`, and TrackSets that begin at `to` or later.
 */
export async function findLiveSets(
  db: Database,
  channelId: number,
  from: number,
  position: number,
  to?: number,
): Promise<LiveSetRow[]> {
  return await db
    .select({
      position: liveSets.position,
      startsAt: liveSets.startsAt,
      endsAt: liveSets.endsAt,
      joint: liveSets.joint,
      isSlate: liveSets.isSlate,
      isRecordingForbidden: liveSets.isRecordingForbidden,
      mediaSequence: liveSets.mediaSequence,
      discontinuitySequence: liveSets.discontinuitySequence,
      document: trackSets.document,
    })
    .from(liveSets)
    .innerJoin(trackSets, eq(trackSets.id, liveSets.trackSetId))
    .where(
      and(
        eq(liveSets.channelId, channelId),
        gte(liveSets.position, position),
        or(isNull(liveSets.endsAt), gt(liveSets.endsAt, from)),
        to === undefined ? undefined : lt(liveSets.startsAt, to),
      ),
    )
    .orderBy(asc(liveSets.position))
}

/** Returns the layout of a channel; undefined if the channel has never been on air. */
export async function findLayout(db: Database, channelId: number): Promise<Layout | undefined> {
  const [row] = await db.select({ layout: channels.layout }).from(channels).where(eq(channels.id, channelId))
  return row?.layout ?? undefined
}

/**
 * Returns the ratings of a channel's entries by position: the ratings of their titles, or the last known
 * ratings of removed titles.
 */
export async function findRatings(
  db: Database,
  channelId: number,
  positions: readonly number[],
): Promise<Map<number, Rated>> {
  if (positions.length === 0) return new Map()
  const rows = await db
    .select({
      position: scheduleEntries.position,
      moralityLevel: sql<number | null>`coalesce(${assets.moralityLevel}, ${scheduleEntries.moralityLevel})`,
      adult: sql<boolean | null>`coalesce(${assets.adult}, ${scheduleEntries.adult})`,
    })
    .from(scheduleEntries)
    .leftJoin(assets, eq(assets.id, scheduleEntries.assetId))
    .where(and(eq(scheduleEntries.channelId, channelId), inArray(scheduleEntries.position, [...positions])))
  return new Map(
    rows.flatMap(({ position, moralityLevel, adult }) =>
      moralityLevel === null || adult === null ? [] : [[position, { moralityLevel, adult }] as const],
    ),
  )
}

/**
 * Returns the stored ratings of a live channel's TrackSets by position. The rating is null for a TrackSet that
 * ended without a rating. TrackSets that still grow have no entry.
 */
export async function findStoredRatings(
  db: Database,
  channelId: number,
  positions: readonly number[],
): Promise<Map<number, Rated | null>> {
  if (positions.length === 0) return new Map()
  const { position, moralityLevel, adult } = liveSets
  const rows = await db
    .select({ position, moralityLevel, adult })
    .from(liveSets)
    .where(
      and(eq(liveSets.channelId, channelId), inArray(position, [...positions]), isNotNull(liveSets.endsAt)),
    )
  return new Map(
    rows.map((row) => {
      const { moralityLevel: level, adult: isAdult } = row
      const rating = level === null || isAdult === null ? null : { moralityLevel: level, adult: isAdult }
      return [row.position, rating] as const
    }),
  )
}

/** Returns the entries of a channel that play in `[from, to)`, in order. */
export async function findEntries(
  db: Database,
  channelId: number,
  from: number,
  to: number,
): Promise<EntryRow[]> {
  return await db
    .select({
      position: scheduleEntries.position,
      startsAt: scheduleEntries.startsAt,
      endsAt: scheduleEntries.endsAt,
      trackSetId: scheduleEntries.trackSetId,
      firstSegment: scheduleEntries.firstSegment,
      segmentCount: scheduleEntries.segmentCount,
      mediaSequence: scheduleEntries.mediaSequence,
      discontinuitySequence: scheduleEntries.discontinuitySequence,
    })
    .from(scheduleEntries)
    .where(
      and(
        eq(scheduleEntries.channelId, channelId),
        gt(scheduleEntries.endsAt, from),
        lte(scheduleEntries.endsAt, to + LONGEST_PROGRAMME_MS),
        lt(scheduleEntries.startsAt, to),
      ),
    )
    .orderBy(asc(scheduleEntries.position))
}
