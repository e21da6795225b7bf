import { basename, join, relative } from 'node:path'
import type { Problem, ScannedFolder } from '../../../files/scan-folder.ts'
import type { SubtitleFile } from '../../../ingest/text-renditions.ts'
import { comparable } from './folder-names.ts'
import { isQuality, linesIn } from './release-tags.ts'
import {
  type Artwork,
  findArtwork,
  findMetadata,
  findPicture,
  findReviews,
  findSubtitles,
  joinArtwork,
  joinWritten,
  NO_FILES,
  type WrittenFiles,
} from './sidecars.ts'
import {
  type EpisodeNumber,
  type EpisodePlace,
  isBroadcastFile,
  isExtraFolder,
  isVideo,
  mayNameTitle,
  type NamedTitle,
  parseEpisode,
  parseSeason,
  parseTitle,
  partOf,
  roleOf,
  SPECIALS,
  stemOf,
  stemWithoutExtra,
  titleKey,
  unsupportedVideo,
} from './video-names.ts'

/** A video with its associated files: metadata, pictures and subtitles. */
export interface FoundMedia {
  /** Absolute path of the video. */
  path: string
  /** Path in the library, with `/` between the folders. The permanent key of the video. */
  key: string
  subtitles: SubtitleFile[]
  /** Absolute paths of subtitle files whose format is not supported. */
  unsupported: string[]
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
  /** Name of the edition, such as `Director's Cut`, if the folder has several films of this title and year. */
  edition: string | null
  metadata: WrittenFiles
  reviews: WrittenFiles
  artwork: Artwork
  trailer: FoundTrailer
}

export interface FoundSeries {
  /** Name of the series' folder when it was first imported. The permanent key of the series. */
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
  /** Number of the last episode, if the file contains several. */
  last: number | undefined
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
  /** Films that are left out, because they differ from another one only in their quality. */
  otherQualities: Pick<FoundMedia, 'key' | 'path'>[]
  problems: Problem[]
}

/** The titles in the catalogue, also the withdrawn ones. They keep what they are. */
export interface KnownTitles {
  /** Kinds of the library's titles, by the keys of their videos. */
  videos: ReadonlyMap<string, 'film' | 'episode'>
  /** Keys of the series of all libraries: first those that have titles, then the oldest. */
  series: ReadonlySet<string>
}

/** State of a search: the root folder of the library, the current time, the known titles, and the results so far. */
interface Search extends FoundTitles {
  root: ScannedFolder
  now: number
  known: KnownTitles
}

/**
 * Distinguishes films from series, and assigns the other files to the videos.
 *
 * @param now milliseconds since the Unix epoch: later years in names belong to the title
 */
export function findTitles(root: ScannedFolder, now: number, known: KnownTitles): FoundTitles {
  const search: Search = { root, now, known, films: [], series: [], otherQualities: [], problems: [] }
  visit(root, search)
  const { films, otherQualities, problems } = search
  // Two disks may have the accents of a name in different forms, or its letters in different case.
  const keys = [...known.series, ...search.series.map(({ key }) => key)]
  const ofName = new Map(keys.toReversed().map((key) => [comparable(key), key]))
  const ofOneKey = Map.groupBy(search.series, ({ key }) =>
    known.series.has(key) ? key : (ofName.get(comparable(key)) ?? key),
  )
  const series = [...ofOneKey].map(([key, folders]) => ({ ...joinSeries(folders), key }))
  return { films, series, otherQualities, problems }
}

const NO_EPISODE = 'only an event can be a broadcast, not an episode of a series'
const NO_NUMBER = 'its name has no episode number'

/** Facts about the folders above a folder. */
interface Above {
  /** Whether the folder is inside the folder of a film, where folders such as `Extras` have no titles. */
  isInTitle: boolean
  /** Whether the videos directly in the folder are extra videos of the film beside the folder. */
  holdsExtras: boolean
  /** Whether the folder is in a folder with episodes. */
  isBesideEpisodes: boolean
}

function visit(
  folder: ScannedFolder,
  search: Search,
  above: Above = { isInTitle: false, holdsExtras: false, isBesideEpisodes: false },
): void {
  const { root, problems } = search
  const isRoot = folder === root
  if (isDisc(folder, problems)) return
  if (isRoot ? isSeriesAsLibrary(folder) : isSeries(folder, search)) {
    search.series.push(readSeries(folder, search))
    return
  }
  const nfo = isRoot ? seriesFileOf(folder) : undefined
  if (nfo !== undefined) {
    const reason = 'it makes no series of the library’s own folder; move the series into a folder of its own'
    problems.push({ path: join(folder.path, nfo), reason })
  }
  const season = isRoot ? undefined : parseSeason(folder.name)
  const place = season === undefined ? 'elsewhere' : 'season'
  const isUnnumberedSeason =
    above.isBesideEpisodes &&
    season !== undefined &&
    season !== SPECIALS &&
    !isYear(season) &&
    !isFolderOfTitle(folder, search)
  const files: string[] = []
  for (const file of above.holdsExtras ? [] : mainVideosOf(folder, search, place)) {
    if (isBroadcastFile(file) && isEpisode(file, place))
      problems.push({ path: join(folder.path, file), reason: NO_EPISODE })
    else if (isKnownFilm(folder, file, search)) files.push(file)
    else if (isEpisode(file, place)) {
      const reason = isRoot
        ? 'it is an episode in the library’s own folder; move it into a folder with the name of its series'
        : 'it is an episode outside the folder of its series; move it there, or add tvshow.nfo to that folder'
      problems.push({ path: join(folder.path, file), reason })
    } else if (isUnnumberedSeason)
      problems.push({ path: join(folder.path, file), reason: `${NO_NUMBER}, such as S01E02` })
    else files.push(file)
  }
  if (!above.holdsExtras) {
    const whole = withoutParts(folder, files, problems)
    search.films.push(...readFilms(folder, whole, search, above.isInTitle))
  }
  const isInTitle = above.isInTitle || isFolderOfTitle(folder, search)
  const isBesideEpisodes = nfo !== undefined || episodesIn(folder).episodes > 0
  for (const child of folder.folders) {
    if (isExtraFolder(child.name) && !holdsTitles(child, isInTitle, files.length > 0)) {
      if (!isInTitle && hasVideos(child)) {
        const reason =
          'folders with this name contain extra videos; rename it if it contains films or series of their own'
        problems.push({ path: child.path, reason })
      }
      continue
    }
    const holdsExtras = !isRoot && files.length > 0 && parseSeason(child.name) === SPECIALS
    visit(child, search, { isInTitle, holdsExtras, isBesideEpisodes })
  }
}

/** Returns whether a folder with the name of a folder of extra videos contains titles nevertheless. */
function holdsTitles(folder: ScannedFolder, isInTitle: boolean, hasFilmsBeside: boolean): boolean {
  if (isInTitle) return false
  return (
    seriesFileOf(folder) !== undefined || filmFileOf(folder) || (!hasFilmsBeside && mayNameTitle(folder.name))
  )
}

/** Returns whether a folder is that of a single film, or of a series whose episodes have no numbers. */
function isFolderOfTitle(folder: ScannedFolder, search: Search): boolean {
  const { root, now } = search
  if (folder === root) return false
  const { title, year } = parseTitle(folder.name, now)
  return (
    year !== null ||
    filmFileOf(folder) ||
    folder.folders.some((child) => isSeason(child)) ||
    folder.files.some(
      (file) => isVideo(file) && titleKey(parseTitle(stemOf(file), now).title) === titleKey(title),
    )
  )
}

function filmFileOf(folder: ScannedFolder): boolean {
  return folder.files.some((file) => file.toLowerCase() === 'movie.nfo')
}

function hasVideos(folder: ScannedFolder): boolean {
  return folder.files.some(isVideo) || folder.folders.some(hasVideos)
}

/** Reports a folder that is a copy of a disc. @returns whether it is one */
function isDisc(folder: ScannedFolder, problems: Problem[]): boolean {
  if (!/^(?:video_ts|bdmv)$/i.test(folder.name)) return false
  problems.push({
    path: folder.path,
    reason: 'copies of discs are not supported; use one video file instead',
  })
  return true
}

/** Reports files that are parts of one film. @returns the other files */
function withoutParts(folder: ScannedFolder, files: readonly string[], problems: Problem[]): string[] {
  const wholes = Map.groupBy(files, (file) => partOf(file) ?? file)
  return files.filter((file) => {
    const whole = partOf(file)
    if (whole === undefined || wholes.get(whole)?.length === 1) return true
    problems.push({
      path: join(folder.path, file),
      reason: 'it is one of several parts of a film; join the parts into one file',
    })
    return false
  })
}

function seriesFileOf(folder: ScannedFolder): string | undefined {
  return folder.files.find((file) => file.toLowerCase() === 'tvshow.nfo')
}

/**
 * Returns whether the library's root folder is the folder of one series. It must contain a season and episodes, and no
 * other videos. With `tvshow.nfo`, other videos are allowed, if there are fewer of them than episodes.
 */
function isSeriesAsLibrary(root: ScannedFolder): boolean {
  const hasSeason = root.folders.some((child) => isSeason(child))
  const { episodes, others } = episodesIn(root)
  return hasSeason && episodes > others && (others === 0 || seriesFileOf(root) !== undefined)
}

/**
 * Returns whether a folder is the folder of a series: it contains `tvshow.nfo`, or more than half of the videos in it
 * are episodes that belong to it, or one of them is an episode already. Fewer are not enough: a single stray episode or
 * season would turn a folder of films into a series, and the films would be withdrawn. Specials do not count, because a
 * film may have a folder of specials too.
 */
function isSeries(folder: ScannedFolder, search: Search): boolean {
  if (seriesFileOf(folder) !== undefined) return true
  // A season has no seasons, and needs the folder of its series.
  if (parseSeason(folder.name) !== undefined) return false
  const { episodes, others } = episodesIn(folder)
  const isKnownEpisode = (file: string): boolean =>
    search.known.videos.get(keyOf(folder, file, search)) === 'episode'
  return episodes > others || (episodes > 0 && folder.files.some(isKnownEpisode))
}

/** Counts the videos of a folder that are episodes of a series in it, and the other films and episodes in it. */
function episodesIn(folder: ScannedFolder): { episodes: number; others: number } {
  const videos = videosOf(folder, 'main', 'elsewhere')
  let episodes = videos.filter((file) => isEpisode(file, 'elsewhere')).length
  let others = videos.length - episodes
  for (const child of folder.folders) {
    const season = parseSeason(child.name)
    if (season === SPECIALS || isExtraFolder(child.name)) continue
    const own = season === undefined ? 0 : countEpisodes(child, 'season')
    if (own > 0) episodes += own
    else others += countVideos(child)
  }
  return { episodes, others }
}

/**
 * Returns the number of episodes in a season's folder, and in folders inside it, where only complete numbers such as
 * `S01E01` count.
 */
function countEpisodes(folder: ScannedFolder, place: EpisodePlace): number {
  const own = videosOf(folder, 'main', place).filter((file) => isEpisode(file, place)).length
  const inside = folder.folders.filter(({ name }) => !isExtraFolder(name))
  return inside.reduce((sum, child) => sum + countEpisodes(child, 'elsewhere'), own)
}

function isEpisode(file: string, place: EpisodePlace): boolean {
  return parseEpisode(file, place) !== undefined
}

/** Returns whether the number in `Saison 2023` is a year, so that the folder may contain films of that year. */
function isYear(season: number): boolean {
  return season >= 1900 && season < 2100
}

function isKnownFilm(folder: ScannedFolder, file: string, search: Search): boolean {
  return search.known.videos.get(keyOf(folder, file, search)) === 'film'
}

/** Returns whether a folder is that of a season, and not of specials, which a film may have too. */
function isSeason(folder: ScannedFolder): boolean {
  return (parseSeason(folder.name) ?? SPECIALS) !== SPECIALS
}

/** Returns the number of films and episodes in a folder and in the folders inside it. */
function countVideos(folder: ScannedFolder): number {
  const inside = folder.folders.filter(({ name }) => !isExtraFolder(name))
  return inside.reduce((sum, child) => sum + countVideos(child), videosOf(folder, 'main', 'elsewhere').length)
}

function videosOf(folder: ScannedFolder, role: 'main' | 'trailer', place: EpisodePlace): string[] {
  return folder.files.filter((file) => isVideo(file) && roleOf(file, place) === role)
}

/**
 * Returns the films, broadcasts and episodes of a folder, and reports videos that are not supported. A file with a name
 * such as `the-other.mkv` counts as an extra video only if its film is in the same folder.
 */
function mainVideosOf(folder: ScannedFolder, search: Search, place: EpisodePlace): string[] {
  const main = videosOf(folder, 'main', place)
  for (const file of folder.files) {
    const reason = unsupportedVideo(file)
    if (reason !== undefined) search.problems.push({ path: join(folder.path, file), reason })
  }
  const isOfTitle = main.length > 0 && isFolderOfTitle(folder, search)
  return folder.files.filter((file) => {
    if (!isVideo(file) && !isBroadcastFile(file)) return false
    const role = roleOf(file, place)
    if (role !== 'extra' || isOfTitle) return role === 'main'
    const whole = stemWithoutExtra(file).toLowerCase()
    return !main.some((other) => other.toLowerCase().startsWith(whole))
  })
}

function media(
  folder: ScannedFolder,
  file: string,
  search: Pick<Search, 'root'>,
  ownFolder: boolean,
): FoundMedia {
  const path = join(folder.path, file)
  return { path, key: keyOf(folder, file, search), ...findSubtitles(folder, stemOf(file), ownFolder) }
}

function keyOf(folder: ScannedFolder, file: string, { root }: Pick<Search, 'root'>): string {
  return relative(root.path, join(folder.path, file))
}

/** A film of a folder, by its name. */
interface NamedFilm extends NamedTitle {
  file: string
  stem: string
  /** Whether the folder's files without a film's name belong to this film, such as `movie.nfo` and `poster.jpg`. */
  ownsFolder: boolean
  edition: string | null
}

/** @param isInTitle whether the folder is inside the folder of a film, where trailers need no film beside them */
function readFilms(
  folder: ScannedFolder,
  files: readonly string[],
  search: Search,
  isInTitle: boolean,
): FoundFilm[] {
  const films = withoutOtherQualities(folder, withoutOldBroadcasts(nameFilms(folder, files, search)), search)
  nameEditions(films)
  const shared = folder === search.root ? NO_FILES : findMetadata(folder, ['movie'])
  const ofOneTitle = groupByTitle(films)
  const trailers = ofFilms(videosOf(folder, 'trailer', 'elsewhere'), films)
  const found = films.map((film): FoundFilm => {
    const { file, stem, ownsFolder, title, year, edition } = film
    const names = ownsFolder ? [stem, 'movie'] : [stem]
    const metadata = findMetadata(folder, names)
    const ofEditions = (ofOneTitle.get(titleAndYear(film)) ?? [])
      .filter((other) => other !== film)
      .flatMap((other) => findMetadata(folder, [other.stem]).own ?? [])
    // Subtitles without a film's name fit the film itself rather than its other editions.
    const ownsSubtitles = ownsFolder && (edition === null || films.every((other) => other.edition !== null))
    return {
      media: media(folder, file, search, ownsSubtitles),
      title,
      year,
      edition,
      metadata: {
        ...metadata,
        fallback: [...(shared.own === null ? [] : [shared.own]), ...ofEditions].filter(
          (path) => path !== metadata.own,
        ),
      },
      reviews: findReviews(folder, names),
      artwork: findArtwork(folder, stem, ownsFolder),
      trailer: findTrailer(folder, search, trailersOf(film, trailers), ownsFolder),
    }
  })
  const ownsAny = films.some(({ ownsFolder }) => ownsFolder)
  for (const { file, owner } of isInTitle ? [] : trailers) {
    if (owner !== undefined || ownsAny) continue
    const reason = 'it is a trailer, but there is no film beside it with the beginning of its name'
    search.problems.push({ path: join(folder.path, file), reason })
  }
  return found
}

/** Returns the titles of a folder's films, from their names and the name of the folder. */
function nameFilms(folder: ScannedFolder, files: readonly string[], { root, now }: Search): NamedFilm[] {
  const holder = parseTitle(folder.name, now)
  const named = files.map((file) => ({ file, stem: stemOf(file), ...parseTitle(stemOf(file), now) }))
  const isOfHolder = ({ title, year }: NamedTitle): boolean =>
    titleKey(title) === titleKey(holder.title) &&
    (year === null || holder.year === null || year === holder.year)
  // Without a film of its name, a folder with `movie.nfo` and a year belongs to the films that have no year.
  const isNamed = named.some(isOfHolder)
  const isUnnamed = !isNamed && holder.year !== null && filmFileOf(folder)
  return named.map((film): NamedFilm => {
    const isAlone = files.length === 1
    const ownsFolder = folder !== root && (isAlone || isOfHolder(film) || (isUnnamed && film.year === null))
    // The year in `Wonder.Woman.1984.mkv` may be a part of the title.
    const isInTitle =
      holder.isYearCertain && !film.isYearCertain && titleKey(holder.title) === titleKey(film.stem)
    const isMorePrecise = holder.year !== null && (film.year === null || isInTitle)
    if (!ownsFolder || !isMorePrecise) return { ...film, ownsFolder, edition: null }
    const rest = isOfHolder(film) || isAlone ? film.rest : film.title
    return { ...film, ...holder, rest, ownsFolder, edition: null }
  })
}

/** Leaves out the broadcasts of titles that have a film in the folder. */
function withoutOldBroadcasts(films: readonly NamedFilm[]): NamedFilm[] {
  const filmed = new Set(films.filter(({ file }) => !isBroadcastFile(file)).map(titleAndYear))
  return films.filter((film) => !isBroadcastFile(film.file) || !filmed.has(titleAndYear(film)))
}

/**
 * Leaves out, and reports, the other new files of a film that differ only in their quality. Files that are titles
 * already stay titles, because viewers may have bought each of them. If all are new, the one with the most lines is used.
 */
function withoutOtherQualities(
  folder: ScannedFolder,
  films: readonly NamedFilm[],
  search: Search,
): NamedFilm[] {
  const leftOut = new Set<NamedFilm>()
  const alike = films.filter(({ title, rest }) => isQuality(rest) && titleKey(title) !== '')
  for (const same of groupByTitle(alike).values()) {
    const known = same.filter(({ file }) => search.known.videos.has(keyOf(folder, file, search)))
    const used =
      known.length > 0 ? known : same.toSorted((a, b) => linesIn(b.rest) - linesIn(a.rest)).slice(0, 1)
    for (const film of same) {
      if (used.includes(film)) continue
      leftOut.add(film)
      const path = join(folder.path, film.file)
      search.otherQualities.push({ key: keyOf(folder, film.file, search), path })
      const reason = `it is the same film as ${used[0]?.file} in another quality; remove one of the two files, or name this one as an edition`
      search.problems.push({ path, reason })
    }
  }
  return films.filter((film) => !leftOut.has(film))
}

function nameEditions(films: readonly NamedFilm[]): void {
  for (const same of groupByTitle(films).values()) {
    if (same.length === 1) continue
    // A quality distinguishes only files of the same edition.
    const plain = same.filter(({ rest }) => isQuality(rest))
    for (const film of same)
      film.edition = film.rest === '' || (plain.length === 1 && film === plain[0]) ? null : film.rest
  }
}

function titleAndYear({ title, year }: NamedTitle): string {
  return `${titleKey(title)} ${year}`
}

function groupByTitle(films: readonly NamedFilm[]): Map<string, NamedFilm[]> {
  return Map.groupBy(films, titleAndYear)
}

/** A trailer beside films, and the film whose name it has. */
interface NamedTrailer {
  file: string
  owner: NamedFilm | undefined
}

function ofFilms(trailers: readonly string[], films: readonly NamedFilm[]): NamedTrailer[] {
  const nameOf = (stem: string): string => stem.toLowerCase().replace(/[-._ ]+$/, '')
  const ofName = Map.groupBy(films, ({ stem }) => nameOf(stem))
  return trailers.map((file) => {
    const name = nameOf(stemOf(file).replace(/trailer\d*$/i, ''))
    return { file, owner: ofName.get(name)?.[0] }
  })
}

/**
 * Returns the trailers of a film: all trailers that have the film's name. If the folder belongs to the film, also the
 * trailers that do not have another film's name.
 */
function trailersOf(film: NamedFilm, trailers: readonly NamedTrailer[]): string[] {
  return trailers
    .filter(({ owner }) =>
      owner === undefined ? film.ownsFolder : owner === film || (film.ownsFolder && owner.ownsFolder),
    )
    .map(({ file }) => file)
}

/**
 * Returns the trailer of a film or a series.
 *
 * @param beside the title's trailers in the folder
 * @param ownFolder whether the folder belongs to the title. Its subfolder `trailers` then belongs to the title too
 */
function findTrailer(
  folder: ScannedFolder,
  search: Search,
  beside: readonly string[],
  ownFolder: boolean,
): FoundTrailer {
  const [first] = beside
  if (first !== undefined) return media(folder, first, search, false)
  const apart = ownFolder ? folder.folders.find(({ name }) => name.toLowerCase() === 'trailers') : undefined
  const file = apart?.files.find((candidate) => isVideo(candidate))
  if (apart && file !== undefined) return media(apart, file, search, false)
  return folder.isComplete && (apart === undefined || apart.isComplete) ? null : undefined
}

function readSeries(folder: ScannedFolder, search: Search): FoundSeries {
  const { problems } = search
  const isDescribed = seriesFileOf(folder) !== undefined
  const placeOfEpisodes = isDescribed ? 'series' : 'elsewhere'
  const seasons = new Map<number, FoundSeason>()
  const found: { season: FoundSeason; episode: FoundEpisode; isKnown: boolean }[] = []
  const season = (number: number, own: ScannedFolder | null): FoundSeason => {
    let known = seasons.get(number)
    if (known === undefined) {
      known = { number, ...seasonFiles(folder, own, number), episodes: [] }
      seasons.set(number, known)
    }
    return known
  }
  /** @param own the folder of the season that the place is in; null outside seasons */
  const readEpisodes = (
    place: ScannedFolder,
    number: number | undefined,
    own: ScannedFolder | null,
  ): void => {
    const kind = number !== undefined ? 'season' : place === folder ? placeOfEpisodes : 'elsewhere'
    const files = mainVideosOf(place, search, kind)
    // An episode may have a folder of its own inside its season.
    const isOwnFolder = files.length === 1 && own !== null && place !== own
    const films: string[] = []
    for (const file of files) {
      const parsed = parseEpisode(file, kind, folder.name)
      const path = join(place.path, file)
      if (isBroadcastFile(file)) {
        problems.push({ path, reason: NO_EPISODE })
        continue
      }
      const seasonNumber = parsed?.season ?? number
      if (parsed === undefined || seasonNumber === undefined) {
        if (isKnownFilm(place, file, search)) films.push(file)
        else problems.push({ path, reason: NO_NUMBER })
        continue
      }
      const ofSeason = season(seasonNumber, number === seasonNumber ? own : null)
      const isKnown = search.known.videos.has(keyOf(place, file, search))
      found.push({
        season: ofSeason,
        episode: readEpisode(place, file, parsed, search, isOwnFolder),
        isKnown,
      })
    }
    search.films.push(...readFilms(place, films, search, true))
  }
  const readInside = (place: ScannedFolder, number: number | undefined, own: ScannedFolder | null): void => {
    for (const child of place.folders) {
      if (isExtraFolder(child.name) || isDisc(child, problems)) continue
      const named = parseSeason(child.name, isDescribed ? place.name : undefined)
      if (own === null || (named !== undefined && named !== SPECIALS)) {
        readEpisodes(child, named, named === undefined ? null : child)
        readInside(child, named, named === undefined ? null : child)
      } else {
        // Specials inside a season may be its extra videos: they need a complete number.
        const inherited = named === SPECIALS ? undefined : number
        readEpisodes(child, inherited, own)
        readInside(child, inherited, own)
      }
    }
  }
  readInside(folder, undefined, null)
  readEpisodes(folder, undefined, null)
  // Files that are titles already come first, so that a new file of the same episode is left out.
  for (const { season, episode, isKnown } of found.toSorted(
    (a, b) => Number(b.isKnown) - Number(a.isKnown),
  )) {
    const other = season.episodes.find((taken) => haveCommonNumber(taken, episode))
    if (other === undefined || isKnown) season.episodes.push(episode)
    else {
      const number = Math.max(episode.number, other.number)
      const reason = `there is another episode ${number} of season ${season.number}: ${basename(other.media.path)}`
      problems.push({ path: episode.media.path, reason })
    }
  }
  const { title, year } = parseTitle(folder.name, search.now)
  return {
    key: folder.name,
    title,
    year,
    metadata: findMetadata(folder, ['tvshow']),
    reviews: findReviews(folder, ['tvshow']),
    artwork: findArtwork(folder, null, true),
    trailer: findTrailer(folder, search, videosOf(folder, 'trailer', placeOfEpisodes), true),
    seasons: sorted([...seasons.values()]),
  }
}

function haveCommonNumber(one: FoundEpisode, other: FoundEpisode): boolean {
  return one.number <= (other.last ?? other.number) && other.number <= (one.last ?? one.number)
}

/** Joins the folders of one series in a library. Episodes of the same number stay separate titles. */
function joinSeries(folders: readonly FoundSeries[]): FoundSeries {
  const [first, ...more] = folders
  if (first === undefined) throw new Error('A series has no folder.')
  if (more.length === 0) return first
  const trailers = folders.map(({ trailer }) => trailer)
  const seasons = Map.groupBy(
    folders.flatMap((folder) => folder.seasons),
    ({ number }) => number,
  )
  return {
    ...first,
    ...joinFiles(folders),
    reviews: joinWritten(folders.map(({ reviews }) => reviews)),
    trailer: trailers.find((trailer) => trailer) ?? (trailers.includes(undefined) ? undefined : null),
    seasons: sorted(
      [...seasons].map(([number, parts]) => ({
        number,
        ...joinFiles(parts),
        episodes: parts.flatMap(({ episodes }) => episodes),
      })),
    ),
  }
}

function joinFiles(
  parts: readonly Pick<FoundSeason, 'metadata' | 'artwork'>[],
): Pick<FoundSeason, 'metadata' | 'artwork'> {
  return {
    metadata: joinWritten(parts.map(({ metadata }) => metadata)),
    artwork: joinArtwork(parts.map(({ artwork }) => artwork)),
  }
}

function sorted(seasons: readonly FoundSeason[]): FoundSeason[] {
  return seasons
    .toSorted((a, b) => a.number - b.number)
    .map((season) => ({ ...season, episodes: season.episodes.toSorted((a, b) => a.number - b.number) }))
}

function readEpisode(
  folder: ScannedFolder,
  file: string,
  { episode: number, last, rest: title }: EpisodeNumber,
  search: Search,
  ownFolder: boolean,
): FoundEpisode {
  const stem = stemOf(file)
  const artwork = findArtwork(folder, stem, false)
  return {
    number,
    last,
    media: media(folder, file, search, ownFolder),
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
  if (own === null) return { metadata: NO_FILES, artwork: beside }
  return {
    metadata: findMetadata(own, ['season']),
    artwork: joinArtwork([beside, findArtwork(own, null, true)]),
  }
}
