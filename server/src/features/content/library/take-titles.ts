import type { Language } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import { genreKey, genreNames } from '../../../metadata/genres.ts'
import type { LocalImages } from '../../inventory/titles/titles.table.ts'
import { putAssetInPackage } from '../../rights/entitlements/packages.service.ts'
import { putSummary } from '../review-summaries/review-summaries.service.ts'
import {
  type AssetEntry,
  type EntryRating,
  ensureCategory,
  putAsset,
  putCategory,
  setAvailability,
  setCategories,
} from './catalogue-entries.ts'
import type { FoundEpisode, FoundFilm, FoundSeason, FoundSeries } from './find-titles.ts'
import { findMedia } from './library.repository.ts'
import { takePicture } from './library-pictures.service.ts'
import { type Metadata, readMetadata } from './metadata.ts'
import { readReviews } from './reviews.ts'
import type { Artwork } from './sidecars.ts'
import { SPECIALS } from './video-names.ts'

/** Context of an import of titles. */
export interface Taking {
  context: Pick<Context, 'db' | 'images' | 'clock'>
  /** Name of the library: the prefix of its source keys. */
  library: string
  /** Language of the library's metadata and of the title in logos. */
  language: Language
  /** Ids of the packages for the library's films and episodes. */
  packages: { films?: number; series?: number }
  problems: Problem[]
}

const FILMS = { key: 'films', names: { fra: 'Films', eng: 'Films' }, position: 0 }
const SERIES = { key: 'series', names: { fra: 'Séries', eng: 'Series' }, position: 1 }
/** Position of all genres. Equal positions make the genres sort by name in the reader's language. */
const GENRES_POSITION = 10

/** Creates or updates a film in the catalogue. @returns its source key and its title */
export async function takeFilm(taking: Taking, film: FoundFilm): Promise<{ key: string; title: string }> {
  const { context, language } = taking
  const metadata = await readMetadata(film.metadata, language, taking.problems)
  const reviews = await readReviews(film.reviews, language, taking.problems)
  const titles = { [language]: film.title, ...metadata.titles }
  const key = sourceKey(taking, film.media.key)
  const entry: AssetEntry = {
    kind: 'film',
    sourceKey: key,
    ...described(metadata),
    titles,
    year: metadata.nfo.year ?? film.year,
    ...eventOf(metadata),
    customSlug: metadata.nfo.slug ?? null,
    ...(await takeArtwork(taking, film.artwork)),
    thumbnailImage: await takePicture(taking.context, film.artwork.thumbnail, taking.problems),
    logoLanguage: language,
  }
  await retryOnDeadlock(
    async () =>
      await context.db.transaction(async (tx) => {
        const id = await storeAsset(tx, taking, entry, taking.packages.films)
        await putSummary(tx, { assetId: id }, reviews)
        const categoryIds = [await ensureCategory(tx, FILMS.key, FILMS.names, FILMS.position)]
        for (const genre of metadata.nfo.genres) {
          const names = genreNames(genre, language)
          categoryIds.push(await ensureCategory(tx, `genre:${genreKey(genre)}`, names, GENRES_POSITION))
        }
        await setCategories(tx, id, [...new Set(categoryIds)])
      }),
  )
  return { key, title: titles[language] ?? film.title }
}

/** A series in the catalogue, for adding episodes. */
export interface TakenSeries {
  id: number
  /** Source key of the series' category. */
  key: string
  title: string
  /** Age rating as stored. Episodes and seasons take it over. */
  rating: EntryRating
  metadata: Metadata
}

export async function takeSeries(taking: Taking, series: FoundSeries): Promise<TakenSeries> {
  const { context, language } = taking
  const metadata = await readMetadata(series.metadata, language, taking.problems)
  const reviews = await readReviews(series.reviews, language, taking.problems)
  const artwork = await takeArtwork(taking, series.artwork)
  const {
    titles: _,
    descriptions,
    rating,
    score,
    genres,
    directors,
    actors,
    tags,
    website,
  } = described(metadata)
  const key = `series:${series.key}`
  const names = { [language]: series.title, ...metadata.titles }
  const { id, moralityLevel, adult } = await retryOnDeadlock(
    async () =>
      await context.db.transaction(async (tx) => {
        const parentId = await ensureCategory(tx, SERIES.key, SERIES.names, SERIES.position)
        const stored = await putCategory(tx, {
          kind: 'series',
          sourceKey: key,
          parentId,
          names,
          synopses: descriptions,
          taglines: metadata.taglines,
          year: metadata.nfo.year ?? series.year,
          rating,
          score,
          genres,
          directors,
          actors,
          tags,
          website,
          ...artwork,
          logoLanguage: language,
        })
        await putSummary(tx, { categoryId: stored.id }, reviews)
        return stored
      }),
  )
  return {
    id,
    key,
    title: names[language] ?? series.title,
    rating: { moralityLevel, adult, isPartial: false },
    metadata,
  }
}

/** Creates or updates a season. @returns the id of the season's category */
export async function takeSeason(taking: Taking, series: TakenSeries, season: FoundSeason): Promise<number> {
  const { context, language } = taking
  const metadata = await readMetadata(season.metadata, language, taking.problems)
  const artwork = await takeArtwork(taking, season.artwork)
  const named = series.metadata.nfo.seasonNames.get(season.number)
  return await context.db.transaction(async (tx) => {
    const { id } = await putCategory(tx, {
      kind: 'season',
      sourceKey: `${series.key}/${season.number}`,
      parentId: series.id,
      position: season.number,
      seasonNumber: season.number,
      names: {
        ...(season.number === SPECIALS
          ? { fra: 'Hors-série', eng: 'Specials' }
          : { fra: `Saison ${season.number}`, eng: `Season ${season.number}` }),
        ...(named === undefined ? {} : { [language]: named }),
        ...metadata.titles,
      },
      synopses: metadata.plots,
      taglines: metadata.taglines,
      year: metadata.nfo.year ?? null,
      rating: metadata.rating === 'none' ? series.rating : ratingOf(metadata),
      ...artwork,
      logoLanguage: language,
    })
    return id
  })
}

export async function takeEpisode(
  taking: Taking,
  series: TakenSeries,
  season: { id: number; number: number },
  episode: FoundEpisode,
): Promise<{ key: string; title: string }> {
  const { context, language } = taking
  const metadata = await readMetadata(episode.metadata, language, taking.problems)
  const reviews = await readReviews(episode.reviews, language, taking.problems)
  const own = described(metadata)
  const whole = described(series.metadata)
  const titles = {
    fra: `Épisode ${episode.number}`,
    eng: `Episode ${episode.number}`,
    ...(episode.title === '' ? {} : { [language]: episode.title }),
    ...metadata.titles,
  }
  const key = sourceKey(taking, episode.media.key)
  const entry: AssetEntry = {
    kind: 'episode',
    sourceKey: key,
    ...own,
    titles,
    year: metadata.nfo.year ?? series.metadata.nfo.year ?? null,
    // Missing values of an episode come from its series. The higher level of both applies.
    rating: {
      moralityLevel: Math.max(own.rating.moralityLevel, series.rating.moralityLevel),
      adult: own.rating.adult || series.rating.adult,
      isPartial: own.rating.isPartial,
    },
    genres: own.genres.length > 0 ? own.genres : whole.genres,
    directors: own.directors.length > 0 ? own.directors : whole.directors,
    actors: own.actors.length > 0 ? own.actors : whole.actors,
    studio: own.studio ?? whole.studio,
    seasonId: season.id,
    serieId: series.id,
    seasonNumber: season.number,
    episodeNumber: episode.number,
    ...(await takeArtwork(taking, episode.artwork)),
    thumbnailImage: await takePicture(taking.context, episode.artwork.thumbnail, taking.problems),
    logoLanguage: language,
  }
  await retryOnDeadlock(
    async () =>
      await context.db.transaction(async (tx) => {
        const assetId = await storeAsset(tx, taking, entry, taking.packages.series)
        await putSummary(tx, { assetId }, reviews)
      }),
  )
  return { key, title: `${series.title} ${season.number}x${String(episode.number).padStart(2, '0')}` }
}

/** Returns the metadata columns that assets and categories share. */
function described(metadata: Metadata) {
  const { titles, plots, taglines, keywords, nfo } = metadata
  return {
    titles,
    descriptions: plots,
    taglines,
    premiered: nfo.premiered ?? null,
    studio: nfo.studio ?? null,
    score: nfo.score ?? null,
    genres: nfo.genres.map(genreKey),
    directors: nfo.directors,
    actors: nfo.actors,
    tags: keywords,
    website: nfo.website ?? null,
    rating: ratingOf(metadata),
  }
}

/** Returns the age rating of a title. A title without a rating is for all ages. */
function ratingOf({ rating }: Metadata): EntryRating {
  return rating === 'none' || rating === 'unreadable'
    ? { moralityLevel: 0, adult: false, isPartial: rating === 'unreadable' }
    : { ...rating, isPartial: false }
}

/** Returns the times of a live event; nothing if its end is not after its start. */
function eventOf({ nfo: { starts, ends } }: Metadata): Pick<AssetEntry, 'startsAt' | 'endsAt'> {
  const valid = starts !== undefined && ends !== undefined && ends > starts
  return { startsAt: valid ? starts : null, endsAt: valid ? ends : null }
}

async function takeArtwork({ context, problems }: Taking, artwork: Artwork) {
  const localImages: LocalImages = {}
  for (const [language, { poster = null, logo = null }] of artwork.local) {
    const posterImage = await takePicture(context, poster, problems)
    const logoImage = await takePicture(context, logo, problems)
    localImages[language] = {
      ...(posterImage !== null && { poster: posterImage }),
      ...(logoImage !== null && { logo: logoImage }),
    }
  }
  const backgroundImage = await takePicture(context, artwork.background, problems)
  const portraitImage = await takePicture(context, artwork.portrait, problems)
  return {
    localImages,
    posterImage: await takePicture(context, artwork.poster, problems),
    portraitImage:
      portraitImage === null && backgroundImage !== null
        ? await takePicture(context, artwork.background, problems, 'upright')
        : portraitImage,
    backgroundImage,
    logoImage: await takePicture(context, artwork.logo, problems),
  }
}

async function storeAsset(
  tx: Transaction,
  { context }: Taking,
  entry: AssetEntry,
  packageId: number | undefined,
): Promise<number> {
  const { id, availability } = await putAsset(tx, entry, context.clock.now())
  if (availability === 'withdrawn' || availability === 'failed') {
    const media = await findMedia(tx, { assetId: id }, 'main')
    await setAvailability(tx, id, media === undefined ? 'preparing' : 'ready')
  }
  if (packageId !== undefined) await putAssetInPackage(tx, packageId, id)
  return id
}

function sourceKey({ library }: Taking, mediaKey: string): string {
  return `${library}:${mediaKey}`
}
