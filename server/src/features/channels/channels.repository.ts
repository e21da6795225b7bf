import type { Layout } from '@ondine/media/layout'
import { and, asc, eq, gt, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Texts } from '../../database/columns.ts'
import type { Database } from '../../database/connection.ts'
import { assets, categories, images, medias } from '../catalogue/catalogue.table.ts'
import type { Rated } from '../entitlements/entitlements.service.ts'
import { guidePictures, programmes } from '../guide/guide.table.ts'
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
  timeshiftSeconds: number
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

/** What a channel plays from. */
export async function findChannelSource(
  db: Database,
  id: number,
): Promise<Pick<typeof channels.$inferSelect, 'kind' | 'source'> | undefined> {
  const [row] = await db
    .select({ kind: channels.kind, source: channels.source })
    .from(channels)
    .where(and(eq(channels.id, id), eq(channels.shown, true)))
  return row
}

/** A programme as the guide announces it, and until when: the beginning of the next one. */
export type ProgrammeRow = Pick<
  typeof programmes.$inferSelect,
  | 'id'
  | 'channelId'
  | 'universalId'
  | 'startsAt'
  | 'endsAt'
  | 'assetId'
  | 'titles'
  | 'subtitles'
  | 'descriptions'
  | 'genres'
  | 'moralityLevel'
  | 'adult'
  | 'year'
  | 'seasonNumber'
  | 'episodeNumber'
> & {
  /** What its guide shows of it; null where it says none, or it could not be had. */
  picture: ImageRow | null
}

const programmeColumns = {
  id: programmes.id,
  channelId: programmes.channelId,
  universalId: programmes.universalId,
  startsAt: programmes.startsAt,
  endsAt: programmes.endsAt,
  assetId: programmes.assetId,
  titles: programmes.titles,
  subtitles: programmes.subtitles,
  descriptions: programmes.descriptions,
  genres: programmes.genres,
  moralityLevel: programmes.moralityLevel,
  adult: programmes.adult,
  year: programmes.year,
  seasonNumber: programmes.seasonNumber,
  episodeNumber: programmes.episodeNumber,
  picture: {
    id: guidePictures.imageId,
    width: guidePictures.width,
    height: guidePictures.height,
    color: guidePictures.color,
  },
}

/** What a grid needs of a programme to show it, and to know who may see it. */
export type GridRow = Pick<
  ProgrammeRow,
  'id' | 'channelId' | 'startsAt' | 'endsAt' | 'assetId' | 'titles' | 'genres' | 'moralityLevel' | 'adult'
>

/** The picture of a programme that could be had. */
const ofProgramme = and(eq(guidePictures.address, programmes.imageAddress), ne(guidePictures.imageId, ''))

/** No programme lasts longer, in milliseconds: what lets an index bound a window on both sides. */
export const LONGEST_PROGRAMME_MS = 24 * 3600_000

/** Which programmes: of these channels, on in `[from, to)`. Milliseconds since the Unix epoch. */
export interface ProgrammesWanted {
  /** All channels when left out. */
  channelIds?: readonly number[] | undefined
  from: number
  to: number
  /** No more than so many; all of them when left out. */
  most?: number
}

const onBetween = ({ channelIds, from, to }: ProgrammesWanted) =>
  and(
    eq(channels.shown, true),
    channelIds && inArray(programmes.channelId, [...channelIds]),
    gt(programmes.endsAt, from),
    lte(programmes.endsAt, to + LONGEST_PROGRAMME_MS),
    lt(programmes.startsAt, to),
  )

/** The programmes that are wanted, by channel and time. */
export async function findProgrammes(db: Database, wanted: ProgrammesWanted): Promise<ProgrammeRow[]> {
  if (wanted.channelIds?.length === 0) return []
  const found = db
    .select(programmeColumns)
    .from(programmes)
    .innerJoin(channels, eq(channels.id, programmes.channelId))
    .leftJoin(guidePictures, ofProgramme)
    .where(onBetween(wanted))
    .orderBy(asc(programmes.channelId), asc(programmes.startsAt))
  return await (wanted.most === undefined ? found : found.limit(wanted.most))
}

const epochMs = (column: AnyPgColumn) => sql`(extract(epoch from ${column}) * 1000)::bigint`

/** The same for a grid: one row of the database for each channel, because most of what thousands of rows cost is their number. */
export async function findGridProgrammes(db: Database, wanted: ProgrammesWanted): Promise<GridRow[]> {
  if (wanted.channelIds?.length === 0) return []
  const { id, channelId, startsAt, endsAt, assetId, titles, genres, moralityLevel, adult } = programmes
  type Listed = [
    id: number,
    startsAt: number,
    endsAt: number,
    assetId: number | null,
    titles: Texts,
    genres: string[],
    moralityLevel: number,
    adult: boolean,
  ]
  const rows = await db
    .select({
      channelId,
      listed: sql<Listed[]>`json_agg(json_build_array(
        ${id}, ${epochMs(startsAt)}, ${epochMs(endsAt)}, ${assetId}, ${titles}, ${genres}, ${moralityLevel}, ${adult}
      ) order by ${startsAt})`,
    })
    .from(programmes)
    .innerJoin(channels, eq(channels.id, channelId))
    .where(onBetween(wanted))
    .groupBy(channelId)
    .orderBy(asc(channelId))
  return rows.flatMap((row) =>
    row.listed.map(([id, startsAt, endsAt, assetId, titles, genres, moralityLevel, adult]) => ({
      id,
      channelId: row.channelId,
      startsAt,
      endsAt,
      assetId,
      titles,
      genres,
      moralityLevel,
      adult,
    })),
  )
}

/** What a programme is known by wherever it is shown. */
export interface KnownProgramme extends ProgrammeRow, AnnouncedRow {
  programmeKey: string
}

/** What else was announced of it. */
export type AnnouncedRow = Pick<
  typeof programmes.$inferSelect,
  'genres' | 'isNew' | 'isRepeat' | 'isLive' | 'audioLanguages' | 'subtitleLanguages' | 'details'
>

/** A programme by its identifier; undefined when there is none, or when it is no programme of that channel. */
export async function findProgramme(
  db: Database,
  id: number,
  channelId: number | undefined,
): Promise<KnownProgramme | undefined> {
  const [row] = await db
    .select({
      ...programmeColumns,
      programmeKey: sql<string>`${programmes.programmeKey}`,
      isNew: programmes.isNew,
      isRepeat: programmes.isRepeat,
      isLive: programmes.isLive,
      audioLanguages: programmes.audioLanguages,
      subtitleLanguages: programmes.subtitleLanguages,
      details: programmes.details,
    })
    .from(programmes)
    .innerJoin(channels, eq(channels.id, programmes.channelId))
    .leftJoin(guidePictures, ofProgramme)
    .where(
      and(
        eq(programmes.id, id),
        eq(channels.shown, true),
        channelId === undefined ? undefined : eq(programmes.channelId, channelId),
      ),
    )
  return row
}

/** What the guide says of an asset. */
export interface GuideAsset {
  id: number
  titles: Texts
  descriptions: Texts
  /** Names of the series of an episode. */
  seriesNames: Texts | null
  genres: string[]
  moralityLevel: number
  adult: boolean
  year: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  image: ImageRow | null
}

export async function findGuideAssets(db: Database, ids: Iterable<number>): Promise<Map<number, GuideAsset>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db
    .select({
      id: assets.id,
      titles: assets.titles,
      descriptions: assets.descriptions,
      seriesNames: categories.names,
      genres: assets.genres,
      moralityLevel: assets.moralityLevel,
      adult: assets.adult,
      year: assets.year,
      seasonNumber: assets.seasonNumber,
      episodeNumber: assets.episodeNumber,
      image: { id: images.id, width: images.width, height: images.height, color: images.color },
    })
    .from(assets)
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .leftJoin(
      images,
      eq(
        images.id,
        sql`coalesce(${assets.thumbnailImage}, ${assets.backgroundImage}, ${categories.backgroundImage})`,
      ),
    )
    .where(inArray(assets.id, wanted))
  return new Map(rows.map((row) => [row.id, row]))
}

/** What a programme's own page says of a title of the library. */
export interface AssetDetails {
  genres: string[]
  directors: string[]
  actors: string[]
  /** Three-letter codes, of what plays. */
  audioLanguages: string[]
  subtitleLanguages: string[]
}

export async function findAssetDetails(db: Database, assetId: number): Promise<AssetDetails | undefined> {
  const [row] = await db
    .select({
      genres: assets.genres,
      directors: assets.directors,
      actors: assets.actors,
      audioLanguages: medias.audioLanguages,
      subtitleLanguages: medias.subtitleLanguages,
    })
    .from(assets)
    .leftJoin(medias, and(eq(medias.assetId, assets.id), eq(medias.kind, 'main')))
    .where(eq(assets.id, assetId))
    .orderBy(asc(medias.id))
    .limit(1)
  return (
    row && {
      ...row,
      audioLanguages: row.audioLanguages ?? [],
      subtitleLanguages: row.subtitleLanguages ?? [],
    }
  )
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
