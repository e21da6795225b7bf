import { and, asc, eq, gt, inArray, lt, lte, ne, type SQLWrapper, sql } from 'drizzle-orm'
import type { Texts } from '../../database/columns.ts'
import type { Database } from '../../database/connection.ts'
import { assets, categories, images, medias } from '../catalogue/catalogue.table.ts'
import { guidePictures, LONGEST_PROGRAMME_MS, programmes } from '../guide/guide.table.ts'
import type { ImageRow } from './channels.repository.ts'
import { channels } from './channels.table.ts'
import type { ShiftableWithHoles } from './timeshift.ts'

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
  /** What its channel says of how far back it reaches. */
  channel: ShiftableWithHoles
}

/** The columns of a guide's picture, by the names of those of an image. */
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
  // A block of a library channel has a picture of the catalogue, what a guide announces one of the guide's.
  picture: sql<ImageRow | null>`coalesce(${imageObject(images)}, ${imageObject(guideImage)})`,
  channel: {
    kind: channels.kind,
    timeshiftSeconds: channels.timeshiftSeconds,
    unbrokenSince: sql<number | null>`(${channels.cursor} ->> 'unbrokenSince')::float8`,
  },
}

/** A picture as JSON; null where its table was joined without a row. */
function imageObject({ id, width, height, color }: Record<keyof ImageRow, SQLWrapper>) {
  return sql`case when ${id} is null then null
    else jsonb_build_object('id', ${id}, 'width', ${width}, 'height', ${height}, 'color', ${color}) end`
}

/** What a grid needs of a programme to show it, and to know who may see it. */
export type GridRow = Pick<
  ProgrammeRow,
  'id' | 'channelId' | 'startsAt' | 'endsAt' | 'assetId' | 'titles' | 'genres' | 'moralityLevel' | 'adult'
>

/** The picture of a programme that could be had. */
const ofProgramme = and(eq(guidePictures.address, programmes.imageAddress), ne(guidePictures.imageId, ''))

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
    .leftJoin(images, eq(images.id, programmes.imageId))
    .where(onBetween(wanted))
    .orderBy(asc(programmes.channelId), asc(programmes.startsAt))
  return await (wanted.most === undefined ? found : found.limit(wanted.most))
}

const epochMs = (column: SQLWrapper) => sql`(extract(epoch from ${column}) * 1000)::bigint`

/** The same for a grid: one row of the database for each channel, because most of what thousands of rows cost is their number. */
export async function findGridProgrammes(db: Database, wanted: ProgrammesWanted): Promise<GridRow[]> {
  if (wanted.channelIds?.length === 0) return []
  const { id, channelId, startsAt, endsAt, assetId, titles, genres, moralityLevel, adult } = programmes
  const found = db
    .select({ id, channelId, startsAt, endsAt, assetId, titles, genres, moralityLevel, adult })
    .from(programmes)
    .innerJoin(channels, eq(channels.id, channelId))
    .where(onBetween(wanted))
    .orderBy(asc(channelId), asc(startsAt))
  const listed = (wanted.most === undefined ? found : found.limit(wanted.most)).as('listed')
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
      channelId: listed.channelId,
      listed: sql<Listed[]>`json_agg(json_build_array(
        ${listed.id}, ${epochMs(listed.startsAt)}, ${epochMs(listed.endsAt)}, ${listed.assetId}, ${listed.titles},
        ${listed.genres}, ${listed.moralityLevel}, ${listed.adult}
      ) order by ${listed.startsAt})`,
    })
    .from(listed)
    .groupBy(listed.channelId)
    .orderBy(asc(listed.channelId))
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
