import { LEVEL_AGES } from '@ondine/contract/constants'

/** Age rating of a title. */
export interface AgeRating {
  /** 0 to 6, with the ages of `LEVEL_AGES`. */
  moralityLevel: number
  adult: boolean
}

/** Ages of the ratings that are names. */
const AGES: Readonly<Record<string, number>> = {
  tp: 0,
  u: 0,
  g: 0,
  'tv-g': 0,
  'tv-y': 0,
  'tous publics': 0,
  'tous public': 0,
  'tout public': 0,
  // Of the Netherlands, Sweden, Brazil and Spain.
  al: 0,
  btl: 0,
  l: 0,
  t: 0,
  'e/i': 0,
  apta: 0,
  atp: 0,
  approved: 0,
  passed: 0,
  gp: 10,
  'tv-pg': 10,
  pg: 10,
  ua: 12,
  'u/a': 12,
  m: 16,
  r: 17,
  'tv-ma': 17,
  x: 18,
  xxx: 18,
}

/** Ratings of pornography. */
const ADULT = /^(?:rated\s+)?(?:xxx|x|[rx]18)(?![\p{L}\d])/u

/** Texts in metadata files for a title without an age rating. */
const UNRATED = new Set(['', 'rated', 'unrated', 'not rated', 'no rating', 'none', 'nr', 'ur', 'n/a'])

const NAMES = Object.keys(AGES)
  .sort((a, b) => b.length - a.length)
  .join('|')
const LEADING = new RegExp(`^(?:rated\\s+)?(${NAMES})(?!\\p{L})`, 'u')
const ANYWHERE = new RegExp(`(?<![\\p{L}-])(?:${NAMES})(?![\\p{L}-])`, 'gu')
/** A number of one or two digits: an age, but not a year. */
const NUMBER = /(?<!\d)\d{1,2}(?!\d)/

/** Returns whether a text of a metadata file says that the title has no age rating: `Unrated`, `US:NR`. */
export function isUnrated(text: string): boolean {
  return partsOf(text).every((part) => UNRATED.has(part) || UNRATED.has(withoutCountry(part)))
}

/**
 * Reads an age rating of a metadata file, such as `10+`, `-12`, `FSK 16`, `PG-13`, `TV-Y7`, `Rated R for violence`
 * or `US:R / DE:16`. Of several ratings, the strictest counts.
 *
 * @returns the lowest level whose age is at least the rating's age; undefined if the text contains no known rating
 */
export function readAgeRating(text: string): AgeRating | undefined {
  const readings = partsOf(text).flatMap((part) => [part, withoutCountry(part)])
  const ages = readings.map(ageOf).filter((age) => age !== undefined)
  if (ages.length === 0) return undefined
  const age = highest(ages)
  const index = LEVEL_AGES.findIndex((levelAge) => levelAge >= age)
  return {
    moralityLevel: age === 0 ? 0 : index === -1 ? LEVEL_AGES.length : index + 1,
    adult: readings.some((reading) => ADULT.test(reading)),
  }
}

/** Names that also stand before an age: `R13` of New Zealand, `M/6` of Portugal. Then only the age counts. */
const BEFORE_AGE = /^(?:rated\s+)?[mr][-\s]?\d/

/** Splits at slashes, but not in the names `E/I`, `U/A`, `N/A` and `M/6`. Writes `TVPG` and `TV PG` as `TV-PG`. */
function partsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/(?<![\p{L}\d])m\/(?=\d)/gu, 'm')
    .replaceAll(/(?<![\p{L}\d])tv\s?(?=(?:ma|pg|g|y)(?!\p{L}))/gu, 'tv-')
    .split(/\/(?![ia](?!\p{L}))/u)
    .map((part) => part.trim())
}

/** Removes the country or the board before a rating: `us:r`, `fsk: 16`, and `fr-u` as Jellyfin writes it. */
function withoutCountry(part: string): string {
  return part.replace(/^(?:[^:]*:\s*|(?!tv|pg|nc)[a-z]{2}-(?!rated))/, '')
}

/** `A` of Spain, Denmark and Norway: for all ages. In other countries, `A` is for adults only. */
const A_FOR_ALL = /^(?:es|dk|no)[-:]\s*a(?:i|\/i)?(?![\p{L}\d])/u

function ageOf(part: string): number | undefined {
  if (A_FOR_ALL.test(part)) return 0
  const name = LEADING.exec(part)?.[1]
  const number = NUMBER.exec(part)?.[0]
  if (number !== undefined && BEFORE_AGE.test(part)) return Number(number)
  if (name !== undefined || number !== undefined) return Math.max(AGES[name ?? ''] ?? 0, Number(number ?? 0))
  // In the middle, a name may be another word. So it counts only if it limits the age: `MPAA R`.
  const age = highest([...part.matchAll(ANYWHERE)].map(([each]) => AGES[each] ?? 0))
  return age > 0 ? age : undefined
}

function highest(ages: readonly number[]): number {
  return ages.reduce((high, age) => Math.max(high, age), 0)
}
