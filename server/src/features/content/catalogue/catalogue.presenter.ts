import { isLive, joinNames, writePairs } from '@ondine/contract/asset-state'
import type { ContentType } from '@ondine/contract/catalogue'
import { LEVEL_AGES } from '@ondine/contract/constants'
import type { Asset, Category, Image } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import { assetRoute, categoryRoute, seriesRoute, slugWithId } from '@ondine/contract/slugs'
import type { LocalisedText } from '../../../database/columns.ts'
import { genreIn } from '../../../metadata/genres.ts'
import { keywordsIn } from '../../../metadata/keywords.ts'
import { proseIn, textIn } from '../../../metadata/texts.ts'
import {
  includesDownloads,
  isBlurred,
  isIncluded,
  needsParentalCode,
  type Viewer,
} from '../../rights/entitlements/entitlements.service.ts'
import type { Tenure } from '../../rights/entitlements/owned.service.ts'
import type { LinkedOffers, Sale } from '../../rights/offers/linked-offers.service.ts'
import type { AssetRow, CatalogueRows, CategoryRow, ImageRow, MediaRow } from './catalogue-rows.ts'

/** The viewer, the language and the time of an answer. */
export interface Reader {
  viewer: Viewer
  language: Language
  /** Milliseconds since the Unix epoch. */
  now: number
}

/** Rows for presenting an asset. Contains only categories that the viewer may see. */
export type AssetSurroundings = Pick<
  CatalogueRows,
  'medias' | 'packageIds' | 'categoryIds' | 'images' | 'categories' | 'broadcasts'
> & {
  /** Offers on sale, from which the offers of each title are selected. */
  sale: Sale
}

const NOT_SOLD: LinkedOffers = { subscriptions: [], transactional: [], transactionalCents: null }

/** Presents an asset (V3-07 to V3-13) without a playback position. */
export function presentAsset(
  row: AssetRow,
  { viewer, language, now }: Reader,
  around: AssetSurroundings,
): Asset {
  const title = textIn(row.titles, language)
  const medias = around.medias.get(row.id) ?? []
  const trailer = medias.find((media) => media.kind === 'trailer')
  const packageIds = around.packageIds.get(row.id) ?? []
  // Offers are not shown to a child (spec 46).
  const linked = viewer.kid ? NOT_SOLD : around.sale.of(packageIds)
  const series = row.serieId === null ? undefined : around.categories.get(row.serieId)
  const needsCode = needsParentalCode(viewer, row)
  const isInPackages = isIncluded(viewer, packageIds)
  // For a title that is not in the viewer's packages, the offer decides whether downloads are allowed.
  const allowsDownloads = !isInPackages || includesDownloads(viewer, packageIds)
  const image = (id: string | null | undefined) => presentImage(around.images, id)
  const thumbnailImage = image(row.thumbnailImage ?? row.backgroundImage ?? series?.backgroundImage)
  const posterImage = image(posterOf(row, language) ?? (series && posterOf(series, language)))
  const directMetadata = assetMetadata(
    row,
    { title, tagline: proseIn(row.taglines, language), image: thumbnailImage ?? posterImage },
    series,
    language,
    medias,
  )
  return {
    idAsset: row.id,
    title,
    description: proseIn(row.descriptions, language),
    tagline: proseIn(row.taglines, language),
    medias: medias.filter((media) => media.kind === 'main').map(presentMedia),
    trailer: trailer ? { idMedia: trailer.id } : null,
    downloadable: allowsDownloads && isDownloadable(row),
    live: isLive(directMetadata, now / 1000),
    ...(around.broadcasts.has(row.id) && { isBroadcast: true }),
    durationInMinutes: Math.round(row.durationSeconds / 60),
    durationInSeconds: row.durationSeconds,
    path: pathsOf(row, around),
    packageIds: [...packageIds],
    linkedOffers: [...linked.subscriptions],
    linkedTransactionalOffers: [...linked.transactional],
    rentalPrice: linked.transactionalCents === null ? null : amountText(linked.transactionalCents),
    validityStartDateTime: Math.floor(row.validFrom / 1000),
    validityEndDateTime: row.validTo === null ? null : Math.floor(row.validTo / 1000),
    seekTime: 0,
    alreadyWatchedInPercent: 0,
    moralityLevel: row.moralityLevel,
    adult: row.adult,
    isBlurred: isBlurred(viewer, row),
    isNeedParentalCode: needsCode,
    isIncludedInUserOffers: isInPackages,
    rental: null,
    isSerie: row.kind === 'episode',
    serieId: row.serieId ?? -1,
    detailRoute: assetRoute(row.customSlug ?? title, row.id),
    posterImage,
    portraitImage: image(row.portraitImage ?? series?.portraitImage),
    backgroundImage: image(row.backgroundImage ?? series?.backgroundImage),
    logoImage: image(
      row.logoImage === null && series !== undefined
        ? titleArt(series, series.names, language)
        : titleArt(row, row.titles, language),
    ),
    thumbnailImage,
    directMetadata,
    availability: {
      state: row.availability === 'withdrawn' ? 'failed' : row.availability,
      percent: row.availability === 'ready' ? 100 : 0,
    },
  }
}

/** Returns whether a title can be downloaded: it is ready and not a live event. */
function isDownloadable({ availability, startsAt }: AssetRow): boolean {
  return availability === 'ready' && startsAt === null
}

/** Returns the asset with the progress of its preparation, from 0 to 100. */
export function withProgress(asset: Asset, percent: number): Asset {
  return { ...asset, availability: { ...asset.availability, percent } }
}

/** Returns the asset with a playback position. @param seekTime in seconds */
export function withPosition(asset: Asset, seekTime: number): Asset {
  return {
    ...asset,
    seekTime,
    alreadyWatchedInPercent: watchedPercent(seekTime, asset.durationInSeconds),
  }
}

/**
 * Adds the account's rental or purchase to the asset. Returns the asset unchanged if a package already contains
 * it.
 */
export function withTenure(asset: Asset, { until, slotSeconds, downloads }: Tenure): Asset {
  if (asset.isIncludedInUserOffers) return asset
  return {
    ...asset,
    isIncludedInUserOffers: true,
    downloadable: asset.downloadable && downloads,
    rental: { until: Number.isFinite(until) ? Math.floor(until / 1000) : null, slotSeconds },
  }
}

/** Adds the end of the account's last rental to the asset. Times are milliseconds since the Unix epoch. */
export function withRentalEnd(asset: Asset, until: number, now: number): Asset {
  return until <= now ? { ...asset, rentalEndedAt: Math.floor(until / 1000) } : asset
}

/**
 * Returns the watched part of an asset, from 0 to 100 (V3-16, but with the exact duration instead of whole
 * minutes).
 */
export function watchedPercent(seekSeconds: number, durationSeconds: number): number {
  if (durationSeconds <= 0) return 0
  return Math.min(100, Math.round((seekSeconds / durationSeconds) * 1000) / 10)
}

function presentMedia(media: MediaRow): Asset['medias'][number] {
  return {
    idMedia: media.id,
    audioLanguages: media.audioLanguages,
    subtitleLanguages: media.subtitleLanguages,
  }
}

/** Returns the id of the poster in the reader's language, or else of the poster in the library's language. */
function posterOf(
  { posterImage, localImages }: Pick<AssetRow | CategoryRow, 'posterImage' | 'localImages'>,
  language: Language,
): string | null {
  return localImages[language]?.poster ?? posterImage
}

/** Returns the id of the logo that replaces the title's text; null without a logo in the reader's language. */
function titleArt(
  {
    logoImage,
    logoLanguage,
    localImages,
  }: Pick<AssetRow | CategoryRow, 'logoImage' | 'logoLanguage' | 'localImages'>,
  titles: LocalisedText,
  language: Language,
): string | null {
  const own = textIn(titles, language) === textIn(titles, logoLanguage) ? logoImage : null
  return localImages[language]?.logo ?? own
}

function presentImage(images: ReadonlyMap<string, ImageRow>, id: string | null | undefined): Image | null {
  const row = id ? images.get(id) : undefined
  return row ? { url: `/images/${row.id}`, width: row.width, height: row.height, color: row.color } : null
}

/**
 * Returns the paths of categories to an asset. The last segment of a path is the id of the asset's category
 * (V3-10).
 */
function pathsOf(row: AssetRow, { categoryIds, categories }: AssetSurroundings): string[] {
  const leaves = row.seasonId === null ? (categoryIds.get(row.id) ?? []) : [row.seasonId]
  return leaves.map((leaf) => {
    const ids: number[] = []
    for (let node = categories.get(leaf); node && !ids.includes(node.id); node = parentOf(node, categories)) {
      ids.unshift(node.id)
    }
    return `/${(ids.length > 0 ? ids : [leaf]).join('/')}`
  })
}

function parentOf(node: CategoryRow, all: ReadonlyMap<number, CategoryRow>): CategoryRow | undefined {
  return node.parentId === null ? undefined : all.get(node.parentId)
}

/** Returns the metadata with the keys of V3-11 to V3-13. Unknown values are omitted. */
function assetMetadata(
  row: AssetRow,
  { title, tagline, image }: { title: string; tagline: string; image: Image | null },
  series: CategoryRow | undefined,
  language: Language,
  medias: readonly MediaRow[],
): Record<string, string | number> {
  const main = medias.find((media) => media.kind === 'main')
  return compact({
    AD_ASSTITLE: title,
    AD_SUBTITLE: tagline,
    AD_ORIGTYPE: row.startsAt === null ? ORIGINS[row.kind] : 'event',
    AD_IMAGEID: image?.url,
    TS_STARTUTC: row.startsAt === null ? null : Math.floor(row.startsAt / 1000),
    TS_ENDUTC: row.endsAt === null ? null : Math.floor(row.endsAt / 1000),
    TS_DURATION: Math.round(row.durationSeconds / 60),
    TS_PRODYEAR: row.year,
    TS_RELEDATE: row.premiered,
    AD_SERIESEA: row.seasonNumber,
    AD_SERIESEP: row.episodeNumber,
    AD_SERIESEPEND: row.lastEpisodeNumber,
    AD_SURTITLE: series && textIn(series.names, language),
    AD_SERIECOL: row.serieId,
    AD_LIASMEDI: main && languagePairs(main),
    AD_SCORPUBL: row.score,
    AD_LIPRODUC: row.studio,
    AD_LIREALIS: joinNames(row.directors),
    AD_LIACTORS: joinNames(row.actors),
    ...sharedMetadata(row, language),
    custom_slug: row.customSlug,
  })
}

/** The content type for each kind of asset (V7-12). */
const ORIGINS = { film: 'movie', episode: 'episode' } as const satisfies Record<AssetRow['kind'], ContentType>

/**
 * Returns the metadata that assets and categories share. The age class and the age are derived from the level.
 * They are the same in all storefronts, because storefronts share the views. A storefront with other ages maps
 * `MORALITY_LEVEL` by `accounts.levelAges` (spec 27).
 */
function sharedMetadata(row: AssetRow | CategoryRow, language: Language) {
  const age = LEVEL_AGES[row.moralityLevel - 1]
  return {
    AD_LIGENRES: joinNames(row.genres.map((genre) => genreIn(genre, language))),
    // The age class in the notation of the French audiovisual regulator: `-12`, or `TP` for all audiences.
    AD_CSASNAME: age === undefined ? 'TP' : `-${age}`,
    rating: age ?? 0,
    MORALITY_LEVEL: row.moralityLevel,
    TAGS: joinNames(keywordsIn(row.tags, language)),
    website: row.website,
  }
}

/** Formats audio and subtitle pairs as `audio/subtitle` codes; `non` means no subtitle (V3-12, V9). */
function languagePairs({ audioLanguages, subtitleLanguages }: MediaRow): string {
  return writePairs(
    audioLanguages.flatMap((audio) => ['non', ...subtitleLanguages].map((subtitle) => ({ audio, subtitle }))),
  )
}

function compact(
  values: Record<string, string | number | null | undefined>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string | number] =>
        entry[1] !== null && entry[1] !== undefined && entry[1] !== '',
    ),
  )
}

/** Rows for presenting a category. Contains only children that the viewer may see. */
export interface CategorySurroundings extends Pick<CatalogueRows, 'images' | 'trailers' | 'children'> {
  counts: ReadonlyMap<number, CategoryCount>
}

/** Numbers of assets in a category. */
export interface CategoryCount {
  /** Assets directly in the category. For a series or a season, the number of episodes. */
  own: number
  /** Assets in the category and in its sub-categories, each counted once. */
  distinct: number
  /** Assets in the category and in its sub-categories. An asset in several of them counts several times. */
  all: number
  /** Total duration of the assets directly in the category, in seconds. */
  ownSeconds: number
}

const NOTHING: CategoryCount = { own: 0, distinct: 0, all: 0, ownSeconds: 0 }

/** Presents a category (V3-02 to V3-06) with all its descendants, without assets. */
export function presentCategory(
  row: CategoryRow,
  reader: Omit<Reader, 'now'>,
  around: CategorySurroundings,
): Category {
  const { viewer, language } = reader
  const name = textIn(row.names, language)
  const children = around.children.get(row.id) ?? []
  const needsCode = needsParentalCode(viewer, row)
  const { own: assetCount, distinct, all, ownSeconds } = around.counts.get(row.id) ?? NOTHING
  const image = (id: string | null) => presentImage(around.images, id)
  const trailer = around.trailers.get(row.id)
  // Season 0 contains the specials, and does not count as a season.
  const seasons = children.filter((child) => child.kind === 'season' && child.seasonNumber !== 0)
  return {
    idCatalog: row.id,
    name,
    synopsis: proseIn(row.synopses, language),
    tagline: proseIn(row.taglines, language),
    fictif: row.kind === 'category' && assetCount === 0 && children.length > 0,
    isSerie: row.kind === 'series',
    isSeason: row.kind === 'season',
    seasonNumber: row.seasonNumber ?? (row.kind === 'series' ? seasons : children).length,
    episodeNumber: row.kind === 'category' ? 0 : assetCount,
    assetCount,
    absolute_asset_number: distinct,
    absolute_not_unique_count: all,
    relative_asset_number: assetCount,
    moralityLevel: row.moralityLevel,
    adult: row.adult,
    isBlurred: isBlurred(viewer, row),
    isNeedParentalCode: needsCode,
    detailRoute: categoryDetailRoute(row, name),
    parentId: row.kind === 'season' ? (row.parentId ?? -1) : -1,
    trailer: trailer === undefined ? null : { idMedia: trailer },
    directMetadata: compact({
      TS_PRODYEAR: row.year,
      AD_SERIESEA: row.seasonNumber,
      // For series and seasons: number of episodes and their total duration (V3-04).
      AD_SERIESEP: row.kind === 'category' ? null : assetCount,
      TS_DURATION: row.kind === 'category' ? null : Math.round(ownSeconds / 60),
      NUMERO_SEASONS: row.kind === 'series' ? seasons.length : null,
      AD_SCORPUBL: row.score,
      AD_LIREALIS: joinNames(row.directors),
      AD_LIACTORS: joinNames(row.actors),
      ...sharedMetadata(row, language),
    }),
    images: {
      default: image(row.backgroundImage ?? posterOf(row, language)),
      background: image(row.backgroundImage),
      poster: image(posterOf(row, language)),
      portrait: image(row.portraitImage),
      logo: image(titleArt(row, row.names, language)),
    },
    categories: children.map((child) => presentCategory(child, reader, around)),
    assets: [],
  }
}

function categoryDetailRoute(row: CategoryRow, name: string): string {
  if (row.kind === 'series') return seriesRoute(name, row.id)
  if (row.kind === 'season' && row.parentId !== null) {
    // The slug identifies the series, and the parameter `seasonid` identifies the season (V2.2-04).
    return `/series/${slugWithId(name, row.parentId)}/details?seasonid=${row.id}`
  }
  return categoryRoute(name, row.id)
}
