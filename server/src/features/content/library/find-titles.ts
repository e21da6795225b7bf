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
import { isLeftOut, isVideo, parseEpisode, parseSeason, parseTitle, roleOf, stemOf } from './video-names.ts'

/** A video with its associated files: metadata, pictures and subtitles. */
export interface FoundMedia {
  /** Absolute path of the video. */
  path: string
  /** Path in the library, with `/` between the folders. The permanent key of the video. */
  key: string
  subtitles: SubtitleFile[]
}

export interface FoundFilm {
  media: FoundMedia
  title: string
  year: number | null
  metadata: WrittenFiles
  reviews: WrittenFiles
  artwork: Artwork
  trailer: FoundMedia | null
}

export interface FoundSeries {
  /** Name of the series' folder. The permanent key of the series. */
  key: string
  title: string
  year: number | null
  metadata: WrittenFiles
  reviews: WrittenFiles
  artwork: Artwork
  trailer: FoundMedia | null
  /** Seasons of the series, sorted by number. */
  seasons: FoundSeason[]
}

export interface FoundSeason {
  /** Number of the season; 0 for specials. */
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

function visit(folder: ScannedFolder, root: ScannedFolder, found: FoundTitles): void {
  if (folder !== root && isLeftOut(folder.name)) return
  if (/^(?:video_ts|bdmv)$/i.test(folder.name)) {
    found.problems.push({
      path: folder.path,
      reason: 'copies of discs are not supported; use one video file instead',
    })
    return
  }
  if (isSeries(folder)) {
    found.series.push(readSeries(folder, root, found.problems))
    return
  }
  found.films.push(...readFilms(folder, root))
  for (const child of folder.folders) visit(child, root, found)
}

function isSeries(folder: ScannedFolder): boolean {
  const holdsVideo = (candidate: ScannedFolder) => candidate.files.some((file) => isVideo(file))
  return (
    folder.files.some((file) => file.toLowerCase() === 'tvshow.nfo') ||
    folder.folders.some((child) => parseSeason(child.name) !== undefined && holdsVideo(child)) ||
    folder.files.some((file) => isVideo(file) && parseEpisode(file, false) !== undefined)
  )
}

function videosOf(folder: ScannedFolder, role: 'main' | 'trailer'): string[] {
  return folder.files.filter((file) => isVideo(file) && roleOf(file) === role)
}

function media(folder: ScannedFolder, file: string, root: ScannedFolder, ownFolder: boolean): FoundMedia {
  const path = join(folder.path, file)
  return { path, key: relative(root.path, path), subtitles: findSubtitles(folder, stemOf(file), ownFolder) }
}

function readFilms(folder: ScannedFolder, root: ScannedFolder): FoundFilm[] {
  const files = videosOf(folder, 'main')
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
function findTrailer(folder: ScannedFolder, root: ScannedFolder, stem: string | null): FoundMedia | null {
  const beside = videosOf(folder, 'trailer').find(
    (file) => stem === null || file.toLowerCase().startsWith(stem.toLowerCase()),
  )
  if (beside !== undefined) return media(folder, beside, root, false)
  const apart =
    stem === null ? folder.folders.find(({ name }) => name.toLowerCase() === 'trailers') : undefined
  const file = apart?.files.find((candidate) => isVideo(candidate))
  return apart && file !== undefined ? media(apart, file, root, false) : null
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
  const prefix = number === 0 ? 'season-specials' : `season${String(number).padStart(2, '0')}`
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
