import { and, asc, eq } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { images } from '../../inventory/titles/titles.table.ts'

/** A channel without its schedule rules, which only scheduling needs. */
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

/** Returns the channels that are not hidden from viewers, sorted by number. */
export async function findChannels(db: Database): Promise<ChannelRow[]> {
  return await db
    .select(channelColumns)
    .from(channels)
    .leftJoin(images, eq(images.id, channels.logoImage))
    .where(eq(channels.shown, true))
    .orderBy(asc(channels.number))
}

/** Fields of a channel that decide whether a guide request covers the channel, and who may see it. */
export type ChannelTraits = Pick<ChannelRow, 'id' | 'mainGenre' | 'free' | 'radio' | 'moralityLevel'>

/** Returns the traits of the channels that are not hidden from viewers, sorted by id. */
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

/** Returns the source of a channel, and its own time-shift setting. */
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
