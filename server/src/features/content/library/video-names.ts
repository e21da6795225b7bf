/** Parses file and folder names by the conventions of Kodi and Jellyfin. */

const VIDEO = /\.(?:mp4|m4v|mkv|webm|mov|avi|ts|m2ts|mts|mpg|mpeg|wmv|asf|flv|ogv|mxf|divx)$/i

/** Suffixes of extra videos, which are neither films nor trailers. */
const EXTRA = /-(?:behindthescenes|deleted|featurette|interview|scene|short|other|extra|clip|sample)\d*$/i
const TRAILER = /(?:^|[-._ ])trailer\d*$/i

/** Folders without titles. Trailers in a folder `trailers` are found separately. */
const EXTRA_FOLDERS = new Set([
  'behind the scenes',
  'deleted scenes',
  'interviews',
  'scenes',
  'samples',
  'spots',
  'sample',
  'shorts',
  'featurettes',
  'clips',
  'other',
  'extras',
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

/** Returns whether a folder is hidden, or contains only extra videos. */
export function isLeftOut(folder: string): boolean {
  return folder.startsWith('.') || folder.startsWith('@') || EXTRA_FOLDERS.has(folder.toLowerCase())
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

/** Parses a title and its year: `La Houle (2026)`, `The.Reef.2019.1080p.x264`, `Dunes [tmdbid=7]`. */
export function parseTitle(name: string): { title: string; year: number | null } {
  const plain = name.replaceAll(/[[{](?:imdb|tmdb|tvdb|anidb)[^\]}]*[\]}]/gi, ' ')
  const bracketed = /^(.+?)[ ._]*[([]((?:18|19|20)\d\d)[)\]]/.exec(plain)
  const dotted = /^(.+?)[ ._]((?:18|19|20)\d\d)(?=[ ._]\S)/.exec(plain)
  const found = bracketed ?? (/[._]/.test(plain) ? dotted : null)
  const title = clean(found?.[1] ?? plain)
  return { title: title === '' ? clean(name) || '?' : title, year: found ? Number(found[2]) : null }
}

/**
 * Converts a name into readable text on one line: dots between words become spaces. Removes control characters and
 * direction marks.
 */
function clean(name: string): string {
  const spaced = /\s/.test(name) ? name : name.replaceAll(/[._]+/g, ' ')
  return oneLine(spaced.replaceAll(/\[[^\]]*\]/g, ' ')).replaceAll(/^[\s._-]+|[\s._-]+$/g, '')
}

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
