import type { Layout } from '@ondine/media/layout'
import { and, asc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Texts } from '../../database/columns.ts'
import type { Database } from '../../database/connection.ts'
import { assets, images } from '../catalogue/catalogue.table.ts'
import type { Rated } from '../entitlements/entitlements.service.ts'
import { LONGEST_PROGRAMME_MS } from '../guide/guide.table.ts'
import { channels, scheduleEntries } from './channels.table.ts'

/** A channel without its rules, which only the schedule asks for. */
export interface ChannelRow {
  id: number
  kind: (typeof channels.$inferSelect)['kind']
  number: number
  sourceKey: string
  names: Texts
  descriptions: Texts
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

/** All channels that exist for viewers, by number. */
export async function findChannels(db: Database): Promise<ChannelRow[]> {
  return await db
    .select(channelColumns)
    .from(channels)
    .leftJoin(images, eq(images.id, channels.logoImage))
    .where(eq(channels.shown, true))
    .orderBy(asc(channels.number))
}

/** What says which channels of the guide are wanted, and who may see them. */
export type ChannelTraits = Pick<ChannelRow, 'id' | 'mainGenre' | 'free' | 'radio' | 'moralityLevel'>

/** The traits of all channels that exist for viewers, by their ids. */
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

/** What a channel plays from, and what it says of how far back that reaches. */
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

/** What a channel's programmes are shown with; undefined while it has never been on the air. */
export async function findLayout(db: Database, channelId: number): Promise<Layout | undefined> {
  const [row] = await db.select({ layout: channels.layout }).from(channels).where(eq(channels.id, channelId))
  return row?.layout ?? undefined
}

/** The ratings of what a channel plays, by position: those of its titles, or what a removed one left behind. */
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

/** An entry as a Timeline is made of. Times are milliseconds since the Unix epoch. */
export type EntryRow = Pick<
  typeof scheduleEntries.$inferSelect,
  | 'position'
  | 'startsAt'
  | 'endsAt'
  | 'trackSetId'
  | 'firstSegment'
  | 'segmentCount'
  | 'mediaSequence'
  | 'discontinuitySequence'
>

/** The entries of a channel that play in `[from, to)`, in order. */
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
