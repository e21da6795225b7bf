import type { Layout } from '@ondine/media/layout'
import { and, asc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { channels, scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { assets, images } from '../../inventory/titles/titles.table.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import { LONGEST_PROGRAMME_MS } from '../guide-import/guide.table.ts'
import type { EntryRow } from '../schedule/schedule-entry.ts'

/** Channel without its rules, which only the schedule needs. */
export interface ChannelRow {
  id: number
  kind: (typeof channels.$inferSelect)['kind']
  number: number
  sourceKey: string
  names: LocalisedText
  descriptions: LocalisedText
  color: string
  free: boolean
  tags: string[]
  mainGenre: string
  moralityLevel: number
  radio: boolean
  timeshiftSeconds: number | null
  logo: ImageRow | null
}

export interface ImageRow {
  id: string
  width: number
  height: number
  color: string
}

const channelColumns = {
  id: channels.id,
  kind: channels.kind,
  number: channels.number,
  sourceKey: channels.sourceKey,
  names: channels.names,
  descriptions: channels.descriptions,
  color: channels.color,
  free: channels.free,
  tags: channels.tags,
  mainGenre: channels.mainGenre,
  moralityLevel: channels.moralityLevel,
  radio: channels.radio,
  timeshiftSeconds: channels.timeshiftSeconds,
  logo: { id: images.id, width: images.width, height: images.height, color: images.color },
}

/** Returns all channels that viewers see, by number. */
export async function findChannels(db: Database): Promise<ChannelRow[]> {
  return await db
    .select(channelColumns)
    .from(channels)
    .leftJoin(images, eq(images.id, channels.logoImage))
    .where(eq(channels.shown, true))
    .orderBy(asc(channels.number))
}

/** Fields that decide which channels a guide request covers and who may see them. */
export type ChannelTraits = Pick<ChannelRow, 'id' | 'mainGenre' | 'free' | 'radio' | 'moralityLevel'>

/** Returns the traits of all channels that viewers see, by id. */
export async function findChannelTraits(db: Database): Promise<ChannelTraits[]> {
  const { id, mainGenre, free, radio, moralityLevel } = channels
  return await db
    .select({ id, mainGenre, free, radio, moralityLevel })
    .from(channels)
    .where(eq(channels.shown, true))
    .orderBy(asc(id))
}

export async function findChannel(db: Database, id: number): Promise<ChannelRow | undefined> {
  const [row] = await db
    .select(channelColumns)
    .from(channels)
    .leftJoin(images, eq(images.id, channels.logoImage))
    .where(and(eq(channels.id, id), eq(channels.shown, true)))
  return row
}

/** Returns the source of a channel, and its own limit of time-shift. */
export async function findChannelSource(
  db: Database,
  id: number,
): Promise<Pick<typeof channels.$inferSelect, 'kind' | 'source' | 'timeshiftSeconds'> | undefined> {
  const [row] = await db
    .select({ kind: channels.kind, source: channels.source, timeshiftSeconds: channels.timeshiftSeconds })
    .from(channels)
    .where(and(eq(channels.id, id), eq(channels.shown, true)))
  return row
}

/** Returns the layout of a channel's programmes; undefined if it has never been on air. */
export async function findLayout(db: Database, channelId: number): Promise<Layout | undefined> {
  const [row] = await db.select({ layout: channels.layout }).from(channels).where(eq(channels.id, channelId))
  return row?.layout ?? undefined
}

/**
 * Returns the ratings of a channel's entries by position: those of their titles, or the last known ones of removed
 * titles.
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
