/** Parses file and folder names by the conventions of Kodi and Jellyfin. */

import { splitAtTags } from './release-tags.ts'

const VIDEO =
  /\.(?:mp4|m4v|mkv|webm|mov|avi|ts|m2ts|mts|mpg|mpeg|wmv|asf|flv|ogv|mxf|divx|ogm|3gp|mk3d|vob|rmvb)$/i

/** Files of a DVD outside its folder `VIDEO_TS`. */
const PART_OF_DVD = /^(?:video_ts|vts_\d\d_\d)\.vob$/i

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
  return VIDEO.test(name) && !PART_OF_DVD.test(name)
}

/** Returns whether a file stands for the broadcast of an event, in place of a video. */
export function isBroadcastFile(name: string): boolean {
  return /\.strm$/i.test(name)
}

/** Returns why a file that may contain a video is not supported; undefined for any other file. */
export function unsupportedVideo(name: string): string | undefined {
  if (PART_OF_DVD.test(name) || /\.(?:iso|img)$/i.test(name))
    return 'copies of discs are not supported; use one video file instead'
  return /\.rm$/i.test(name)
    ? 'videos in this format are not supported; convert it to .mkv or .mp4'
    : undefined
}

/** Returns a file's name without its extension. */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '')
}

export function roleOf(name: string, place: EpisodePlace): VideoRole {
  const stem = stemOf(name)
  // `Trailer` may end the title of an episode; only the suffix `-trailer` makes a trailer of it.
  if (TRAILER.test(stem) && (/\S-trailer\d*$/i.test(stem) || !parseEpisode(name, place))) return 'trailer'
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
  /** Number of the last episode, if the file contains several. */
  last?: number
  /** Rest of the name after the numbers, without release tags; often the title. */
  rest: string
}

/**
 * Folder of a video: the folder of a season, or the folder of a series with `tvshow.nfo`. Elsewhere, only complete
 * numbers count.
 */
export type EpisodePlace = 'season' | 'series' | 'elsewhere'

/** Season of an episode in the folder of its series, if no name contains the season. */
const FIRST_SEASON = 1

/**
 * Parses `Series S01E02 Title` and `1x02`, also for several episodes: `S01E02-E03`, `1x02-03`. In a season, also parses
 * `02 - Title`, `Episode 2` and `Series - 02`; in a series with `tvshow.nfo`, `Series - 02`.
 *
 * @param series name of the series' folder, which may begin with a number: `24 - 01` is episode 1 of 24
 */
export function parseEpisode(name: string, place: EpisodePlace, series = ''): EpisodeNumber | undefined {
  const stem = stemOf(name).normalize('NFC')
  const complete =
    /(?:^|[^a-z0-9])s(?<season>\d{1,4})[ ._-]*e(?<episode>\d{1,4})(?<rest>.*)$/i.exec(stem) ??
    /(?:^|[^a-z0-9])(?<season>\d{1,2})(?<x>x)(?<episode>\d{1,3})(?=[^0-9]|$)(?<rest>.*)$/i.exec(stem)
  if (complete?.groups) {
    const { season, x, episode = '', rest = '' } = complete.groups
    const again = x === undefined ? `s0*${Number(season)}` : `0*${Number(season)}`
    const sign = x === undefined ? 'e' : 'x(?!26[456])'
    return { season: Number(season), ...numbered(episode, rest, `(?:${again}[ ._-]*)?(?:${sign}|e)`) }
  }
  if (place === 'elsewhere') return undefined
  const plain = stem.replace(/^\s*\[[^\]]*\][ ._]*/, '')
  const inSeason =
    place === 'season'
      ? (/(?:^|[^a-z])(?:e|ep|episode|épisode|folge)[ ._-]*(?<episode>\d{1,4})(?=[^0-9]|$)(?<rest>.*)$/i.exec(
          plain,
        ) ?? /^(?<episode>\d{1,4})(?=[ ._-]|$)(?<rest>.*)$/.exec(plain))
      : null
  const dashed = afterDash(plain)
  const isAfterSeries =
    dashed !== null && titleKey(plain.slice(0, dashed.index)) === titleKey(withoutYear(series))
  const { episode, rest = '' } = ((isAfterSeries ? dashed : inSeason) ?? dashed)?.groups ?? {}
  if (episode === undefined) return undefined
  return { ...(place === 'series' && { season: FIRST_SEASON }), ...numbered(episode, rest, 'e') }
}

/** Matches the number in `Series - 02 - Title` or `Series - 02v2 [1080p]`. A year is no number of an episode. */
function afterDash(stem: string): RegExpExecArray | null {
  return /[ _]-[ _](?!(?:19|20)\d\d(?!\d))(?<episode>\d{1,4})(?:v\d)?(?=(?:-\d{1,4})?(?:[ _([]|$))(?<rest>.*)$/.exec(
    stem,
  )
}

/**
 * Number of episodes that a number without `E` may add: `S01E01-02`. With more, the number belongs to the title:
 * `S01E01-24 Hours`.
 */
const MOST_ADDED = 3

/**
 * Parses the numbers of further episodes at the start of `after`, and the title behind them. A number without a sign
 * has as many digits as the first one, because `S01E03-4 Mariages` is a title.
 *
 * @param sign pattern before a further number: `e`, also with the same season in `S01E01-S01E02`
 */
function numbered(
  digits: string,
  after: string,
  sign: string,
): Pick<EpisodeNumber, 'episode' | 'last' | 'rest'> {
  const further = new RegExp(
    `^(?:[ ._+&-]*(${sign})|-| (?:et|and|&) )(\\d{1,4})(?=[^a-z0-9]|e\\d|x\\d|$)`,
    'i',
  )
  const episode = Number(digits)
  let last = episode
  let rest = after
  for (let next = further.exec(rest); next; next = further.exec(rest)) {
    const [whole, signed, more = ''] = next
    const isLikely =
      signed !== undefined || (more.length === digits.length && Number(more) <= last + MOST_ADDED)
    if (Number(more) <= last || !isLikely) break
    last = Number(more)
    rest = rest.slice(whole.length)
  }
  return { episode, ...(last > episode && { last }), rest: titleIn(rest) }
}

/** Returns the title of an episode from its name after the numbers. */
function titleIn(rest: string): string {
  const unbracketed = rest.replaceAll(/\[[^\]]*\]/g, /\s/.test(rest) ? ' ' : '.')
  const [title] = splitAtTags(unbracketed)
  return clean(title)
}

const SEASON = 'season|saison|staffel|temporada|stagione|seizoen|sezon|сезон|säsong|sæson|sesong|kausi'

/**
 * Parses the number of a season's folder: `Season 01`, `Saison 2`, `S03`, `Specials`.
 *
 * @param series the name of the series' folder, if it may come first: `Le Métier Saison 2`
 */
export function parseSeason(folder: string, series?: string): number | undefined {
  const name = folder.normalize('NFC').trim()
  if (/^(?:specials?|hors[- ]série|bonus)$/i.test(name)) return SPECIALS
  const [, before = '', number] =
    new RegExp(`^(?:(.+)[ ._-])?(?:${SEASON}|series|s)[ ._-]*(\\d{1,4})(?=$|[ ._-])`, 'i').exec(name) ?? []
  const isOfSeries =
    before === '' || (series !== undefined && titleKey(before) === titleKey(withoutYear(series)))
  return number === undefined || !isOfSeries ? undefined : Number(number)
}

function withoutYear(name: string): string {
  return name.replace(/[ ._]*\(\d{4}\)\s*$/, '')
}

/** Title and year from the name of a film, of a series or of a folder. */
export interface NamedTitle {
  title: string
  year: number | null
  /** Whether the year is in brackets, so that it is certainly the year and no part of the title. */
  isYearCertain: boolean
  /** Text in square brackets before the year, and the text after it: often the edition or the quality. */
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
  const [before = '', year, rest = ''] = bracketed?.slice(1) ?? splitReleased(plain, now) ?? [plain]
  const title = clean(before)
  // Square brackets usually contain a release tag, but the title of `[REC]² (2009)` is in them.
  const isOutside = /[\p{L}\p{Nd}]/u.test(title)
  const aside = isOutside ? (before.match(/\[[^\]]*\]/g) ?? []) : []
  return {
    title: isOutside ? title : oneLine(before).replace(/^[._-]+$/, '') || '?',
    year: year === undefined ? null : Number(year),
    isYearCertain: bracketed !== null,
    rest: [...aside, rest]
      .map((text) => clean(text.replace(/\{edition-/i, ' ').replaceAll(/[[\](){}]/g, ' ')))
      .join(' ')
      .trim(),
  }
}

/**
 * Splits a name at its release tags. A name with dots or underscores is split at its last year before the tags, because
 * a title may contain years itself: `Blade.Runner.2049.2017.1080p`. Years after the next one belong to the title.
 */
function splitReleased(name: string, now: number): (string | undefined)[] | undefined {
  const [before, tags] = splitAtTags(name)
  const years = /[._]/.test(name) ? [...before.matchAll(/[ ._]((?:18|19|20)\d\d)(?=[ ._]|$)/g)] : []
  const latest = new Date(now).getUTCFullYear() + 1
  const found = years.findLast(({ index, 1: year }) => {
    // At the end of a name with spaces, a number is a part of the title: `Mr. Robot 2`.
    const isInside = /^[ ._]\S/.test(name.slice(index + 5)) || !/\s/.test(name)
    return index > 0 && isInside && Number(year) <= latest
  })
  if (found !== undefined) return [name.slice(0, found.index), found[1], name.slice(found.index + 5)]
  return before !== '' && tags !== '' ? [before, undefined, tags] : undefined
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
