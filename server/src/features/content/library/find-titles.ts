import { join, relative } from 'node:path'
import type { Problem, ScannedFolder } from '../../../files/scan-folder.ts'
import type { SubtitleFile } from '../../../ingest/text-renditions.ts'
import {
  type Artwork,
  findArtwork,
  findMetadata,
  findPicture,
  findReviews,
  findSubtitles,
  type WrittenFiles,
} from './sidecars.ts'
import {
  isLeftOut,
  isVideo,
  parseEpisode,
  parseSeason,
  parseTitle,
  roleOf,
  SPECIALS,
  stemOf,
} from './video-names.ts'

/** A video with its associated files: metadata, pictures and subtitles. */
export interface FoundMedia {
  /** Absolute path of the video. */
  path: string
  /** Path in the library, with `/` between the folders. The permanent key of the video. */
  key: string
  subtitles: SubtitleFile[]
}

/**
 * A trailer. Null if the title has none; undefined if it is unknown, because a folder where it may be could not be
 * read completely.
 */
type FoundTrailer = FoundMedia | null | undefined

export interface FoundFilm {
  media: FoundMedia
  title: string
  year: number | null
  metadata: WrittenFiles
  reviews: WrittenFiles
  artwork: Artwork
  trailer: FoundTrailer
}

export interface FoundSeries {
  /** Name of the series' folder. The permanent key of the series. */
  key: string
  title: string
  year: number | null
  metadata: WrittenFiles
  reviews: WrittenFiles
  artwork: Artwork
  trailer: FoundTrailer
  /** Seasons of the series, sorted by number. */
  seasons: FoundSeason[]
}

export interface FoundSeason {
  /** Number of the season; {@link SPECIALS} for specials. */
  number: number
  metadata: WrittenFiles
  artwork: Artwork
  /** Episodes of the season, sorted by number. */
  episodes: FoundEpisode[]
}

export interface FoundEpisode {
  number: number
  media: FoundMedia
  /** Title from the file name; often empty. */
  title: string
  metadata: WrittenFiles
  reviews: WrittenFiles
  artwork: Artwork
}

/** The titles of a library, from its files. */
export interface FoundTitles {
  films: FoundFilm[]
  series: FoundSeries[]
  problems: Problem[]
}

/** Distinguishes films from series, and assigns the other files to the videos. */
export function findTitles(root: ScannedFolder): FoundTitles {
  const found: FoundTitles = { films: [], series: [], problems: [] }
  visit(root, root, found)
  return found
}

/**
 * @param holdsExtras whether the videos directly in the folder are extra videos of the film beside the folder
 */
function visit(folder: ScannedFolder, root: ScannedFolder, found: FoundTitles, holdsExtras = false): void {
  const isRoot = folder === root
  if (!isRoot && isLeftOut(folder.name)) return
  if (/^(?:video_ts|bdmv)$/i.test(folder.name)) {
    found.problems.push({
      path: folder.path,
      reason: 'copies of discs are not supported; use one video file instead',
    })
    return
  }
  if (isRoot ? isSeriesAsLibrary(folder) : isSeries(folder)) {
    found.series.push(readSeries(folder, root, found.problems))
    return
  }
  const nfo = isRoot ? seriesFileOf(folder) : undefined
  if (nfo !== undefined) {
    const reason = 'it makes no series of the library’s own folder; move the series into a folder of its own'
    found.problems.push({ path: join(folder.path, nfo), reason })
  }
  const inSeasonFolder = !isRoot && parseSeason(folder.name) !== undefined
  const films: string[] = []
  for (const file of holdsExtras ? [] : videosOf(folder, 'main')) {
    if (isEpisode(file, inSeasonFolder)) {
      const reason = isRoot
        ? 'it is an episode in the library’s own folder; move it into a folder with the name of its series'
        : 'it is an episode outside the folder of its series; move it there, or add tvshow.nfo to that folder'
      found.problems.push({ path: join(folder.path, file), reason })
    } else films.push(file)
  }
  found.films.push(...readFilms(folder, films, root))
  for (const child of folder.folders) {
    visit(child, root, found, !isRoot && films.length > 0 && parseSeason(child.name) === SPECIALS)
  }
}

function seriesFileOf(folder: ScannedFolder): string | undefined {
  return folder.files.find((file) => file.toLowerCase() === 'tvshow.nfo')
}

/**
 * Returns whether the library's own folder is the folder of one series: it has a season with episodes, and nothing else.
 * With `tvshow.nfo`, it may have other videos too, but fewer than episodes.
 */
function isSeriesAsLibrary(root: ScannedFolder): boolean {
  const hasSeason = root.folders.some(({ name }) => (parseSeason(name) ?? SPECIALS) !== SPECIALS)
  const { episodes, others } = episodesIn(root)
  return hasSeason && episodes > others && (others === 0 || seriesFileOf(root) !== undefined)
}

/**
 * Returns whether a folder is the folder of a series: it contains `tvshow.nfo`, or more than half of the videos in
 * it are episodes that belong to it. Otherwise one stray episode or season would make a series of a folder of films,
 * and the films would be withdrawn. Specials do not count, because a film may have such a folder too.
 */
function isSeries(folder: ScannedFolder): boolean {
  if (seriesFileOf(folder) !== undefined) return true
  // A season has no seasons, and needs the folder of its series.
  if (parseSeason(folder.name) !== undefined) return false
  const { episodes, others } = episodesIn(folder)
  return episodes > others
}

/** Counts the videos of a folder that are episodes of a series in it, and the other films and episodes in it. */
function episodesIn(folder: ScannedFolder): { episodes: number; others: number } {
  const videos = videosOf(folder, 'main')
  let episodes = videos.filter((file) => isEpisode(file, false)).length
  let others = videos.length - episodes
  for (const child of folder.folders) {
    const season = parseSeason(child.name)
    if (season === SPECIALS || isLeftOut(child.name)) continue
    const own = videosOf(child, 'main').filter((file) => isEpisode(file, true)).length
    if (season !== undefined && own > 0) episodes += own
    else others += countVideos(child)
  }
  return { episodes, others }
}

function isEpisode(file: string, inSeasonFolder: boolean): boolean {
  return parseEpisode(file, inSeasonFolder) !== undefined
}

/** Returns the number of films and episodes in a folder and in the folders inside it. */
function countVideos(folder: ScannedFolder): number {
  const inside = folder.folders.filter(({ name }) => !isLeftOut(name))
  return inside.reduce((sum, child) => sum + countVideos(child), videosOf(folder, 'main').length)
}

function videosOf(folder: ScannedFolder, role: 'main' | 'trailer'): string[] {
  return folder.files.filter((file) => isVideo(file) && roleOf(file) === role)
}

function media(folder: ScannedFolder, file: string, root: ScannedFolder, ownFolder: boolean): FoundMedia {
  const path = join(folder.path, file)
  return { path, key: relative(root.path, path), subtitles: findSubtitles(folder, stemOf(file), ownFolder) }
}

function readFilms(folder: ScannedFolder, files: readonly string[], root: ScannedFolder): FoundFilm[] {
  // All files of a folder belong to its only film, except in the library's root folder.
  const alone = files.length === 1 && folder !== root
  return files.map((file) => {
    const stem = stemOf(file)
    const named = parseTitle(stem)
    const holder = parseTitle(folder.name)
    const { title, year } = alone && named.year === null && holder.year !== null ? holder : named
    return {
      media: media(folder, file, root, alone),
      title,
      year,
      metadata: findMetadata(folder, alone ? [stem, 'movie'] : [stem]),
      reviews: findReviews(folder, alone ? [stem, 'movie'] : [stem]),
      artwork: findArtwork(folder, stem, alone),
      trailer: findTrailer(folder, root, alone ? null : stem),
    }
  })
}

/**
 * Returns the trailer of a film.
 *
 * @param stem stem of the film's file name; null if all files in the folder belong to one title
 */
function findTrailer(folder: ScannedFolder, root: ScannedFolder, stem: string | null): FoundTrailer {
  const beside = videosOf(folder, 'trailer').find(
    (file) => stem === null || file.toLowerCase().startsWith(stem.toLowerCase()),
  )
  if (beside !== undefined) return media(folder, beside, root, false)
  const apart =
    stem === null ? folder.folders.find(({ name }) => name.toLowerCase() === 'trailers') : undefined
  const file = apart?.files.find((candidate) => isVideo(candidate))
  if (apart && file !== undefined) return media(apart, file, root, false)
  return folder.isComplete && (apart === undefined || apart.isComplete) ? null : undefined
}

function readSeries(folder: ScannedFolder, root: ScannedFolder, problems: Problem[]): FoundSeries {
  const seasons = new Map<number, FoundSeason>()
  const season = (number: number, own: ScannedFolder | null): FoundSeason => {
    let found = seasons.get(number)
    if (found === undefined) {
      found = { number, ...seasonFiles(folder, own, number), episodes: [] }
      seasons.set(number, found)
    }
    return found
  }
  const readEpisodes = (place: ScannedFolder, number: number | undefined): void => {
    for (const file of videosOf(place, 'main')) {
      const parsed = parseEpisode(file, number !== undefined)
      const path = join(place.path, file)
      const seasonNumber = parsed?.season ?? number
      if (parsed === undefined || seasonNumber === undefined) {
        problems.push({ path, reason: 'its name has no episode number' })
        continue
      }
      const { episodes } = season(seasonNumber, number === seasonNumber ? place : null)
      if (episodes.some((known) => known.number === parsed.episode)) {
        problems.push({
          path,
          reason: `there is another episode ${parsed.episode} of season ${seasonNumber}`,
        })
        continue
      }
      episodes.push(readEpisode(place, file, parsed.episode, parsed.rest, root))
    }
  }
  for (const child of folder.folders) {
    if (!isLeftOut(child.name)) readEpisodes(child, parseSeason(child.name))
  }
  readEpisodes(folder, undefined)
  const { title, year } = parseTitle(folder.name)
  return {
    key: folder.name,
    title,
    year,
    metadata: findMetadata(folder, ['tvshow']),
    reviews: findReviews(folder, ['tvshow']),
    artwork: findArtwork(folder, null, true),
    trailer: findTrailer(folder, root, null),
    seasons: [...seasons.values()]
      .sort((a, b) => a.number - b.number)
      .map((found) => ({ ...found, episodes: found.episodes.sort((a, b) => a.number - b.number) })),
  }
}

function readEpisode(
  folder: ScannedFolder,
  file: string,
  number: number,
  title: string,
  root: ScannedFolder,
): FoundEpisode {
  const stem = stemOf(file)
  const artwork = findArtwork(folder, stem, false)
  return {
    number,
    media: media(folder, file, root, false),
    title,
    metadata: findMetadata(folder, [stem]),
    reviews: findReviews(folder, [stem]),
    artwork: { ...artwork, thumbnail: artwork.thumbnail ?? findPicture(folder, [stem]) },
  }
}

/**
 * Returns a season's files. They are in the folder of the season, or in the folder of the series with a prefix:
 * `season01-poster.jpg`.
 */
function seasonFiles(
  series: ScannedFolder,
  own: ScannedFolder | null,
  number: number,
): Pick<FoundSeason, 'metadata' | 'artwork'> {
  const prefix = number === SPECIALS ? 'season-specials' : `season${String(number).padStart(2, '0')}`
  const beside = findArtwork(series, prefix, false)
  const inside = own === null ? null : findArtwork(own, null, true)
  return {
    metadata: own === null ? { own: null, localised: new Map() } : findMetadata(own, ['season']),
    artwork: {
      poster: beside.poster ?? inside?.poster ?? null,
      background: beside.background ?? inside?.background ?? null,
      logo: beside.logo ?? inside?.logo ?? null,
      thumbnail: beside.thumbnail ?? inside?.thumbnail ?? null,
      portrait: beside.portrait ?? inside?.portrait ?? null,
      local: new Map([...(inside?.local ?? []), ...beside.local]),
    },
  }
}
