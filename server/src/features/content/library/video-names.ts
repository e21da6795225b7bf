/** Parses file and folder names by the conventions of Kodi and Jellyfin. */

const VIDEO = /\.(?:mp4|m4v|mkv|webm|mov|avi|ts|m2ts|mts|mpg|mpeg|wmv|asf|flv|ogv|mxf|divx)$/i

/** Suffixes of extra videos, which are neither films nor trailers. */
const EXTRA = /-(?:behindthescenes|deleted|featurette|interview|scene|short|other|extra|clip|sample)\d*$/i
const TRAILER = /(?:^|[-._ ])trailer\d*$/i

/** Folders of extra videos and other files. Outside the folder of a title, they may have the name of a title. */
const EXTRA_OR_TITLE = new Set([
  'interviews',
  'scenes',
  'spots',
  'shorts',
  'featurettes',
  'clips',
  'other',
  'extras',
])

/** Folders of extra videos and other files anywhere. Trailers in a folder `trailers` are found separately. */
const EXTRA_FOLDERS = new Set([
  'behind the scenes',
  'deleted scenes',
  'samples',
  'sample',
  'backdrops',
  'theme-music',
  'subs',
  'subtitles',
  'trailers',
])

export type VideoRole = 'main' | 'trailer' | 'extra'

export function isVideo(name: string): boolean {
  return VIDEO.test(name)
}

/** Returns a file's name without its extension. */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '')
}

export function roleOf(name: string): VideoRole {
  const stem = stemOf(name)
  if (TRAILER.test(stem)) return 'trailer'
  return EXTRA.test(stem) || /^sample$/i.test(stem) ? 'extra' : 'main'
}

/** Returns the name of the video that an extra video belongs to: `film` for `film-deleted.mkv`. */
export function stemWithoutExtra(name: string): string {
  return stemOf(name).replace(EXTRA, '')
}

/** Returns the name of the film that a file is a part of: `film` for `film-cd1.avi`. Undefined for a whole film. */
export function partOf(name: string): string | undefined {
  const stem = stemOf(name).toLowerCase()
  const whole = stem.replace(/(?:[ ._-]+(?:cd|dvd|dis[ck])[ ._-]?|-(?:part|pt))\d{1,2}$/, '')
  return whole === stem ? undefined : whole
}

/** Returns whether a folder contains only extra videos and other files, if it is in the folder of a title. */
export function isExtraFolder(folder: string): boolean {
  return EXTRA_FOLDERS.has(folder.toLowerCase()) || mayNameTitle(folder)
}

/** Returns whether a name of a folder of extra videos is also the name of a title or a collection: `Shorts`. */
export function mayNameTitle(folder: string): boolean {
  return EXTRA_OR_TITLE.has(folder.toLowerCase())
}

/** Number of the season that contains specials. */
export const SPECIALS = 0

/** Season and episode numbers from a file name. */
export interface EpisodeNumber {
  /** {@link SPECIALS} for specials; undefined if only the folder's name contains the season. */
  season?: number
  episode: number
  /** Rest of the name after the numbers; often the title. */
  rest: string
}

/** Parses `Series S01E02 Title`, `1x02`, or with `inSeasonFolder` also `02 - Title` and `Episode 2`. */
export function parseEpisode(name: string, inSeasonFolder: boolean): EpisodeNumber | undefined {
  const stem = stemOf(name)
  const both =
    /(?:^|[^a-z0-9])s(\d{1,4})[ ._-]*e(\d{1,4})(?:[ ._-]*e\d{1,4}|-\d{1,4}(?=[^a-z0-9]|$))*(.*)$/i.exec(
      stem,
    ) ?? /(?:^|[^a-z0-9])(\d{1,2})x(\d{1,3})(?=[^0-9]|$)(.*)$/i.exec(stem)
  if (both) return { season: Number(both[1]), episode: Number(both[2]), rest: clean(both[3] ?? '') }
  if (!inSeasonFolder) return undefined
  const one =
    /(?:^|[^a-z])(?:e|ep|episode|épisode|folge)[ ._-]*(\d{1,4})(?=[^0-9]|$)(.*)$/i.exec(stem) ??
    /^(\d{1,4})(?=[ ._-]|$)(.*)$/.exec(stem)
  return one ? { episode: Number(one[1]), rest: clean(one[2] ?? '') } : undefined
}

/** Parses the number of a season's folder: `Season 01`, `Saison 2`, `S03`, `Specials`. */
export function parseSeason(folder: string): number | undefined {
  if (/^(?:specials?|hors[- ]série|bonus)$/i.test(folder.trim())) return SPECIALS
  const number = /^(?:season|saison|staffel|series|temporada|stagione|s)[ ._-]*(\d{1,4})(?=$|[ ._-])/i.exec(
    folder.trim(),
  )
  return number ? Number(number[1]) : undefined
}

/** Title and year from the name of a film, of a series or of a folder. */
export interface NamedTitle {
  title: string
  year: number | null
  /** Whether the year is in brackets, so that it is certainly the year and no part of the title. */
  isYearCertain: boolean
  /** Text after the year: often the edition or the quality. */
  rest: string
}

/**
 * Parses a title and its year: `La Houle (2026)`, `The.Reef.2019.1080p.x264`, `Dunes [tmdbid=7]`.
 *
 * @param now milliseconds since the Unix epoch
 */
export function parseTitle(name: string, now: number): NamedTitle {
  const plain = name.replaceAll(/[[{](?:imdb|tmdb|tvdb|anidb)[^\]}]*[\]}]/gi, ' ')
  const bracketed = /^(.+?)[ ._]*[([]((?:18|19|20)\d\d)[)\]](.*)/.exec(plain)
  const [before, year, rest] = bracketed?.slice(1) ?? splitDotted(plain, now) ?? [plain]
  const title = clean(before ?? '')
  return {
    // Square brackets usually contain a release tag, but the title of `[REC]² (2009)` is in them.
    title: /[\p{L}\p{Nd}]/u.test(title) ? title : oneLine(before ?? '').replace(/^[._-]+$/, '') || '?',
    year: year === undefined ? null : Number(year),
    isYearCertain: bracketed !== null,
    rest: clean((rest ?? '').replace(/\{edition-/i, ' ').replaceAll(/[[\](){}]/g, ' ')),
  }
}

/**
 * Splits a name with dots or underscores at its last year before the resolution, because a title may contain years
 * itself: `Blade.Runner.2049.2017.1080p`. Years after the next one belong to the title. Without a year, splits the
 * name at the resolution.
 */
function splitDotted(name: string, now: number): (string | undefined)[] | undefined {
  if (!/[._]/.test(name)) return undefined
  const end = name.search(/[ ._](?:480|576|720|1080|2160)[ip](?![a-z\d])/i)
  const years = [
    ...name.slice(0, end === -1 ? undefined : end).matchAll(/[ ._]((?:18|19|20)\d\d)(?=[ ._]|$)/g),
  ]
  const latest = new Date(now).getUTCFullYear() + 1
  const found = years.findLast(({ index, 1: year }) => {
    // At the end of a name with spaces, a number is a part of the title: `Mr. Robot 2`.
    const isInside = /^[ ._]\S/.test(name.slice(index + 5)) || !/\s/.test(name)
    return index > 0 && isInside && Number(year) <= latest
  })
  if (found !== undefined) return [name.slice(0, found.index), found[1], name.slice(found.index + 5)]
  return end > 0 ? [name.slice(0, end), undefined, name.slice(end)] : undefined
}

/** Returns a title for comparisons, without case and punctuation. */
export function titleKey(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * Converts a name into readable text on one line: dots between words become spaces, and dots between initials stay.
 * Removes control characters and direction marks.
 */
function clean(name: string): string {
  const spaced = /\s/.test(name)
    ? name
    : name.replaceAll(INITIALS_OR_DOTS, (_, initials?: string) => (initials ? `${initials}. ` : ' '))
  const plain = oneLine(spaced.replaceAll(/\[[^\]]*\]/g, ' ')).replaceAll(/^[\s._-]+|[\s._-]+$/g, '')
  return /(?<![\p{L}\p{N}])\p{Lu}(?:\.\p{Lu})+$/u.test(plain) ? `${plain}.` : plain
}

/** Matches initials such as `E.T` with the dot after them, or dots and underscores between words. */
const INITIALS_OR_DOTS = /(?<![\p{L}\p{N}])(\p{Lu}(?:\.\p{Lu})+)(?![\p{L}\p{N}])\.?|[._]+/gu

/**
 * Converts text from outside the service into one line of at most `max` characters, without control characters and
 * direction marks.
 */
export function oneLine(text: string, max = 300): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, max)
}
