import { episodeRange } from '@ondine/contract/episode-range'
import type { Language } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import { genreKey, genreNames } from '../../../metadata/genres.ts'
import type { LocalImages } from '../../inventory/titles/titles.table.ts'
import { joinPackagesOf, putAssetInPackage } from '../../rights/entitlements/packages.service.ts'
import { putSummary } from '../review-summaries/review-summaries.service.ts'
import { endBroadcast, putBroadcast, readBroadcastFile } from './broadcast-files.ts'
import {
  type AssetEntry,
  type EntryWindow,
  ensureCategory,
  putAsset,
  putCategory,
  type StoredAsset,
  type StoredCategory,
  setAvailability,
  setCategories,
} from './catalogue-entries.ts'
import type { FoundEpisode, FoundFilm, FoundMedia, FoundSeason, FoundSeries } from './find-titles.ts'
import { findMedia, raiseRatings } from './library.repository.ts'
import { takePicture } from './library-pictures.service.ts'
import { type AvailabilityWindow, type Metadata, readMetadata, strictest } from './metadata.ts'
import type { Relinked } from './replaced-files.ts'
import { readReviews } from './reviews.ts'
import type { Artwork } from './sidecars.ts'
import { isBroadcastFile, SPECIALS, titleKey } from './video-names.ts'

/** Context of an import of titles. */
export interface Taking {
  context: Pick<Context, 'db' | 'images' | 'clock'>
  /** Name of the library: the prefix of its source keys. */
  library: string
  /** Language of the library's metadata and of the title in logos. */
  language: Language
  /** Ids of the packages for the library's films and episodes. */
  packages: { films?: number; series?: number }
  /** See {@link Relinked}. */
  related: Relinked['related']
  problems: Problem[]
  /** Remarks for the operator about imported files, such as packages that a new title has joined. */
  remarks: Problem[]
}

const FILMS = { key: 'films', names: { fra: 'Films', eng: 'Films' }, position: 0 }
const SERIES = { key: 'series', names: { fra: 'Séries', eng: 'Series' }, position: 1 }
/** Position of all genres. Equal positions make the genres sort by name in the reader's language. */
const GENRES_POSITION = 10

/** Creates or updates a film in the catalogue. @returns its source key and its title */
export async function takeFilm(taking: Taking, film: FoundFilm): Promise<{ key: string; title: string }> {
  const { context, language } = taking
  const { path } = film.media
  const channelId = isBroadcastFile(path) ? await readBroadcastFile(context.db, path) : null
  const metadata = await readMetadata(film.metadata, language, taking.problems)
  const reviews = await readReviews(film.reviews, language, taking.problems)
  const titles = withEdition(metadata.titles, film.edition)
  const defaultTitles = withEdition({ [language]: film.title }, film.edition)
  const key = sourceKey(taking, film.media.key)
  const entry: AssetEntry = {
    kind: 'film',
    sourceKey: key,
    ...described(metadata),
    titles,
    defaultTitles,
    year: metadata.nfo.year ?? film.year,
    ...eventOf(metadata),
    window: windowOf(context.clock.now(), metadata.window),
    customSlug: metadata.nfo.slug ?? null,
    isPartial: metadata.isPartial,
    ...(await takeArtwork(taking, film.artwork)),
    thumbnailImage: await takePicture(taking.context, film.artwork.thumbnail, taking.problems),
    logoLanguage: language,
  }
  const joined = await retryOnDeadlock(
    async () =>
      await context.db.transaction(async (tx) => {
        const { id, genres, joined, ...stored } = await storeAsset(tx, taking, film.media, entry)
        if (channelId === null) await endBroadcast(tx, id)
        else if (await putBroadcast(tx, { id, ...stored }, channelId, context.clock.now()))
          taking.problems.push({
            path,
            reason: 'the event is over, and stays on the channel that carried it',
          })
        await putSummary(tx, { assetId: id }, reviews)
        const categoryIds = [await ensureCategory(tx, FILMS.key, FILMS.names, FILMS.position)]
        for (const genre of genres) {
          const names = genreNames(genre, language)
          categoryIds.push(await ensureCategory(tx, `genre:${genre}`, names, GENRES_POSITION))
        }
        await setCategories(tx, id, [...new Set(categoryIds)])
        return joined
      }),
  )
  remarkPackages(taking, film.media, joined)
  return { key, title: titles[language] ?? defaultTitles[language] ?? film.title }
}

/** Adds the edition to a film's titles, unless they name it already. */
function withEdition(titles: LocalisedText, edition: string | null): LocalisedText {
  if (edition === null) return titles
  return Object.fromEntries(
    Object.entries(titles).map(([language, title]) => [
      language,
      titleKey(title).includes(titleKey(edition)) ? title : `${title} – ${edition}`,
    ]),
  )
}

/** A series in the catalogue, for adding episodes. */
export interface TakenSeries {
  /**
   * The series as stored. Seasons and episodes take over its age rating. Episodes also take over the values that they
   * lack, such as genres.
   */
  stored: StoredCategory
  title: string
  metadata: Metadata
}

export async function takeSeries(taking: Taking, series: FoundSeries): Promise<TakenSeries> {
  const { context, language, library } = taking
  const metadata = await readMetadata(series.metadata, language, taking.problems)
  const reviews = await readReviews(series.reviews, language, taking.problems)
  const artwork = await takeArtwork(taking, series.artwork)
  const { descriptions, score, genres, directors, actors, tags, website } = described(metadata)
  const stored = await retryOnDeadlock(
    async () =>
      await context.db.transaction(async (tx) => {
        const parentId = await ensureCategory(tx, SERIES.key, SERIES.names, SERIES.position)
        const row = await putCategory(tx, library, {
          kind: 'series',
          sourceKey: `series:${series.key}`,
          parentId,
          names: metadata.titles,
          defaultNames: { [language]: series.title },
          synopses: descriptions,
          taglines: metadata.taglines,
          year: metadata.nfo.year ?? series.year,
          rating: metadata.rating,
          score,
          genres,
          directors,
          actors,
          tags,
          website,
          isPartial: metadata.isPartial,
          ...artwork,
          logoLanguage: language,
        })
        await putSummary(tx, { categoryId: row.id }, reviews)
        return row
      }),
  )
  await raiseRatings(context.db, stored)
  return { stored, title: stored.names[language] ?? series.title, metadata }
}

/** A season in the catalogue, for adding episodes. */
export interface TakenSeason {
  stored: StoredCategory
  window: AvailabilityWindow
}

/** Creates or updates a season. */
export async function takeSeason(
  taking: Taking,
  series: TakenSeries,
  season: FoundSeason,
): Promise<TakenSeason> {
  const { context, language, library } = taking
  const metadata = await readMetadata(season.metadata, language, taking.problems)
  const artwork = await takeArtwork(taking, season.artwork)
  const named = series.metadata.nfo.seasonNames.get(season.number)
  const { moralityLevel, adult } = series.stored
  const stored = await context.db.transaction(
    async (tx) =>
      await putCategory(tx, library, {
        kind: 'season',
        sourceKey: `${series.stored.sourceKey}/${season.number}`,
        parentId: series.stored.id,
        position: season.number,
        seasonNumber: season.number,
        names: { ...(named === undefined ? {} : { [language]: named }), ...metadata.titles },
        defaultNames:
          season.number === SPECIALS
            ? { fra: 'Hors-série', eng: 'Specials' }
            : { fra: `Saison ${season.number}`, eng: `Season ${season.number}` },
        synopses: metadata.plots,
        taglines: metadata.taglines,
        year: metadata.nfo.year ?? null,
        rating: metadata.rating,
        inherited: { moralityLevel, adult },
        // The file of the series may have the name of the season.
        isPartial: metadata.isPartial || series.metadata.isPartial,
        ...artwork,
        logoLanguage: language,
      }),
  )
  await raiseRatings(context.db, stored)
  return { stored, window: metadata.window }
}

export async function takeEpisode(
  taking: Taking,
  series: TakenSeries,
  { stored: season, window }: TakenSeason,
  episode: FoundEpisode,
): Promise<{ key: string; title: string }> {
  const { context, language } = taking
  const metadata = await readMetadata(episode.metadata, language, taking.problems)
  const reviews = await readReviews(episode.reviews, language, taking.problems)
  const own = described(metadata)
  const { stored: whole } = series
  const { title } = episode
  const isNamed = title !== '' || Object.keys(metadata.titles).length > 0
  const named: LocalisedText = title === '' ? {} : { [language]: title }
  const defaultTitles = isNamed ? named : unnamedTitles(episode)
  const { basis } = own.rating
  const key = sourceKey(taking, episode.media.key)
  const entry: AssetEntry = {
    kind: 'episode',
    sourceKey: key,
    ...own,
    defaultTitles,
    year: metadata.nfo.year ?? whole.year,
    // Missing values of an episode come from its series. The strictest rating of both and the season applies.
    rating: strictest([own.rating, { ...season, basis }, { ...whole, basis }]),
    ownRating: own.rating,
    genres: own.genres.length > 0 ? own.genres : whole.genres,
    directors: own.directors.length > 0 ? own.directors : whole.directors,
    actors: own.actors.length > 0 ? own.actors : whole.actors,
    studio: own.studio ?? series.metadata.nfo.studio ?? null,
    isPartial: metadata.isPartial || series.metadata.isPartial,
    window: windowOf(context.clock.now(), metadata.window, window, series.metadata.window),
    seasonId: season.id,
    serieId: whole.id,
    seasonNumber: season.seasonNumber,
    episodeNumber: episode.number,
    lastEpisodeNumber: episode.last ?? null,
    ...(await takeArtwork(taking, episode.artwork)),
    thumbnailImage: await takePicture(taking.context, episode.artwork.thumbnail, taking.problems),
    logoLanguage: language,
  }
  const joined = await retryOnDeadlock(
    async () =>
      await context.db.transaction(async (tx) => {
        const { id: assetId, joined } = await storeAsset(tx, taking, episode.media, entry)
        await putSummary(tx, { assetId }, reviews)
        // The file may have been a film before.
        await setCategories(tx, assetId, [])
        return joined
      }),
  )
  remarkPackages(taking, episode.media, joined)
  const [first, last] = [episode.number, episode.last].map((number) => number?.toString().padStart(2, '0'))
  return { key, title: `${series.title} ${season.seasonNumber}x${episodeRange(first ?? '', last)}` }
}

/** Returns the titles of an episode without a title: its number, or its numbers. */
function unnamedTitles({ number, last }: FoundEpisode): LocalisedText {
  if (last === undefined) return { fra: `Épisode ${number}`, eng: `Episode ${number}` }
  return last === number + 1
    ? { fra: `Épisodes ${number} et ${last}`, eng: `Episodes ${number} and ${last}` }
    : { fra: `Épisodes ${number} à ${last}`, eng: `Episodes ${number} to ${last}` }
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
    rating: metadata.rating,
  }
}

/** Returns the times of a live event; nothing if its end is not after its start. */
function eventOf({ nfo: { starts, ends } }: Metadata): Pick<AssetEntry, 'startsAt' | 'endsAt'> {
  const valid = starts !== undefined && ends !== undefined && ends > starts
  return { startsAt: valid ? starts : null, endsAt: valid ? ends : null }
}

/**
 * Returns when an asset is available: as its own file says, else as the file of its season or series says. A start from
 * a season or series applies only if it is in the future. Otherwise, an episode that is added later would not be new
 * when it is imported.
 */
function windowOf(now: number, own: AvailabilityWindow, ...above: AvailabilityWindow[]): EntryWindow {
  const all = [own, ...above]
  const inherited = above.find(({ from }) => from !== undefined)?.from ?? now
  const until = all.find((each) => each.until !== undefined)?.until ?? null
  return {
    from: own.from ?? (inherited > now ? inherited : undefined),
    until: all.some(({ fault }) => fault === 'hidden') ? now : until,
    isPartial: all.some(({ fault }) => fault !== 'none'),
  }
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

/** @returns the stored asset, and the keys of the packages that a new one has joined */
async function storeAsset(
  tx: Transaction,
  { context, packages, related }: Taking,
  { key }: FoundMedia,
  entry: AssetEntry,
): Promise<StoredAsset & { joined: string[] }> {
  const stored = await putAsset(tx, entry, context.clock.now())
  const { id, availability } = stored
  if (availability === 'withdrawn' || availability === 'failed') {
    const media = await findMedia(tx, { assetId: id }, 'main')
    await setAvailability(tx, id, media === undefined ? 'preparing' : 'ready')
  }
  const packageId = entry.kind === 'film' ? packages.films : packages.series
  if (packageId !== undefined) await putAssetInPackage(tx, packageId, id)
  return { ...stored, joined: await joinPackagesOf(tx, related.get(key) ?? [], id) }
}

/** Tells the operator about a new title that joined the packages of a related one. */
function remarkPackages({ remarks }: Taking, { path }: FoundMedia, joined: readonly string[]): void {
  if (joined.length === 0) return
  const reason = `it is a copy or another edition of an existing title, so it was added to the packages ${joined.join(', ')}. Name it in your file of offers too, or the next import of offers takes it out`
  remarks.push({ path, reason })
}

function sourceKey({ library }: Taking, mediaKey: string): string {
  return `${library}:${mediaKey}`
}
