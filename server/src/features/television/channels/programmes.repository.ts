import { and, asc, eq, gt, inArray, lt, lte, ne, type SQLWrapper, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories, images, medias } from '../../inventory/titles/titles.table.ts'
import { guidePictures, LONGEST_PROGRAMME_MS, programmes } from '../guide-import/guide.table.ts'
import type { ImageRow } from './channels.repository.ts'
import { forbidsPast, forbidsRecording } from './forbidden-uses.service.ts'
import type { ShiftableWithHoles } from './timeshift.ts'

/** A programme of the guide. It ends no later than the next programme begins. */
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
  /** Picture of the programme; null if the guide has none, or if it could not be fetched. */
  picture: ImageRow | null
  /** Whether the guide forbids recording the programme. */
  isRecordingForbidden: boolean
  /** Whether the guide forbids going back in the programme, so that only the live edge may be shown. */
  isPastForbidden: boolean
  /** Fields of the programme's channel that decide how far back viewers may watch the channel. */
  channel: ShiftableWithHoles
}

/** Columns of a picture from a guide, with the names of the columns of `images`. */
const guideImage = {
  id: guidePictures.imageId,
  width: guidePictures.width,
  height: guidePictures.height,
  color: guidePictures.color,
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
  // A block of a library channel has its picture in `images`. A programme from a guide has its picture in
  // `guide_pictures`.
  picture: sql<ImageRow | null>`coalesce(${imageObject(images)}, ${imageObject(guideImage)})`,
  isRecordingForbidden: forbidsRecording(programmes.details),
  isPastForbidden: forbidsPast(programmes.details),
  channel: {
    kind: channels.kind,
    timeshiftSeconds: channels.timeshiftSeconds,
    unbrokenSince: sql<
      number | null
    >`channel_media_since(${channels.kind}, ${channels.startedAt}, ${channels.cursor})`,
  },
}

/** Returns SQL for a picture as a JSON object; null if the join has found no picture. */
function imageObject({ id, width, height, color }: Record<keyof ImageRow, SQLWrapper>) {
  return sql`case when ${id} is null then null
    else jsonb_build_object('id', ${id}, 'width', ${width}, 'height', ${height}, 'color', ${color}) end`
}

/** Fields of a programme that a grid shows, and fields that decide who may see the programme. */
export type GridRow = Pick<
  ProgrammeRow,
  'id' | 'channelId' | 'startsAt' | 'endsAt' | 'assetId' | 'titles' | 'genres' | 'moralityLevel' | 'adult'
>

/** Joins a programme with its picture from the guide, if the picture was fetched. */
const ofProgramme = and(eq(guidePictures.address, programmes.imageAddress), ne(guidePictures.imageId, ''))

/** Selects programmes on air in `[from, to)`. Times are milliseconds since the Unix epoch. */
export interface ProgrammesWanted {
  /** The requested channels; all channels if omitted. */
  channelIds?: readonly number[] | undefined
  from: number
  to: number
  /** Maximum number of programmes; unlimited if omitted. */
  most?: number
}

/** Selects programmes of the given channels. */
export type ChosenProgrammes = ProgrammesWanted & { channelIds: readonly number[] }

const onBetween = ({ channelIds, from, to }: ProgrammesWanted) =>
  and(
    channelIds && inArray(programmes.channelId, [...channelIds]),
    gt(programmes.endsAt, from),
    lte(programmes.endsAt, to + LONGEST_PROGRAMME_MS),
    lt(programmes.startsAt, to),
  )

/** Returns the programmes of shown channels that match a filter, sorted by channel and time. */
export async function findProgrammes(db: Database, wanted: ProgrammesWanted): Promise<ProgrammeRow[]> {
  if (wanted.channelIds?.length === 0) return []
  const found = db
    .select(programmeColumns)
    .from(programmes)
    .innerJoin(channels, eq(channels.id, programmes.channelId))
    .leftJoin(guidePictures, ofProgramme)
    .leftJoin(images, eq(images.id, programmes.imageId))
    .where(and(eq(channels.shown, true), onBetween(wanted)))
    .orderBy(asc(programmes.channelId), asc(programmes.startsAt))
  return await (wanted.most === undefined ? found : found.limit(wanted.most))
}

// With `date_part`, because PostgreSQL calculates faster with its floats than with the numeric values of `extract`.
const epochSeconds = (column: SQLWrapper) => sql`floor(date_part('epoch', ${column}))`

/**
 * Returns the values of a column in all rows of a group, as a JSON array. `json_agg` would convert each value
 * separately, and takes longer.
 */
const listOf = <Value>(value: SQLWrapper) => sql<Value[]>`array_to_json(array_agg(${value}))`

/**
 * Returns the programmes of channels for a grid, by channel. Times are whole seconds, rounded down, in milliseconds.
 * `genres` has at most the first genre. Does not check whether the channels are shown. The query aggregates the
 * programmes of each channel into one row with a list for each column, because thousands of separate rows, or JSON
 * objects, would be slow.
 */
export async function findGridProgrammes(db: Database, wanted: ChosenProgrammes): Promise<GridRow[]> {
  if (wanted.channelIds.length === 0) return []
  const { id, channelId, startsAt, endsAt, assetId, titles, genres, moralityLevel, adult } = programmes
  const found = db
    .select({ id, channelId, startsAt, endsAt, assetId, titles, genres, moralityLevel, adult })
    .from(programmes)
    .where(onBetween(wanted))
    .orderBy(asc(channelId), asc(startsAt))
  const listed = (wanted.most === undefined ? found : found.limit(wanted.most)).as('listed')
  const rows = await db
    .select({
      channelId: listed.channelId,
      ids: listOf<number>(listed.id),
      starts: listOf<number>(epochSeconds(listed.startsAt)),
      ends: listOf<number>(epochSeconds(listed.endsAt)),
      assetIds: listOf<number | null>(listed.assetId),
      titles: sql<LocalisedText[]>`json_agg(${listed.titles})`,
      genres: listOf<string | null>(sql`${listed.genres}[1]`),
      moralityLevels: listOf<number>(listed.moralityLevel),
      adult: listOf<boolean>(listed.adult),
    })
    .from(listed)
    .groupBy(listed.channelId)
    .orderBy(asc(listed.channelId))
  return rows.flatMap((row) =>
    row.ids
      .map((id, place): GridRow => {
        const genre = row.genres[place]
        return {
          id,
          channelId: row.channelId,
          startsAt: (row.starts[place] ?? 0) * 1000,
          endsAt: (row.ends[place] ?? 0) * 1000,
          assetId: row.assetIds[place] ?? null,
          titles: row.titles[place] ?? {},
          genres: genre ? [genre] : [],
          moralityLevel: row.moralityLevels[place] ?? 6,
          adult: row.adult[place] ?? true,
        }
      })
      // SQL promises no order inside an aggregate, and sorting here is faster than there.
      .sort((one, other) => one.startsAt - other.startsAt),
  )
}

/** A programme with all details. All showings of the same title have the same `programmeKey`. */
export interface KnownProgramme extends ProgrammeRow, AnnouncedRow {
  programmeKey: string
}

/** Details from the guide that only the page of a programme shows. */
export type AnnouncedRow = Pick<
  typeof programmes.$inferSelect,
  'genres' | 'isNew' | 'isRepeat' | 'isLive' | 'audioLanguages' | 'subtitleLanguages' | 'details'
>

/**
 * Returns a programme by its id; undefined if it does not exist, or belongs to another channel than `channelId`.
 */
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
    .leftJoin(images, eq(images.id, programmes.imageId))
    .where(
      and(
        eq(programmes.id, id),
        eq(channels.shown, true),
        channelId === undefined ? undefined : eq(programmes.channelId, channelId),
      ),
    )
  return row
}

/** Details of a library title, as the guide shows them. */
export interface GuideAsset {
  id: number
  titles: LocalisedText
  descriptions: LocalisedText
  /** Names of the series; null if the title is not an episode. */
  seriesNames: LocalisedText | null
  genres: string[]
  moralityLevel: number
  adult: boolean
  year: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  lastEpisodeNumber: number | null
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
      lastEpisodeNumber: assets.lastEpisodeNumber,
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

/** Details of a library title that only the page of a programme shows. */
export interface AssetDetails {
  genres: string[]
  directors: string[]
  actors: string[]
  /** Three-letter codes of the playable tracks. */
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
