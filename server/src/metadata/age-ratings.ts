import { LEVEL_AGES } from '@ondine/contract/constants'

/** Ages of the ratings that contain no number. */
const AGES: Readonly<Record<string, number>> = {
  tp: 0,
  u: 0,
  g: 0,
  'tv-g': 0,
  'tv-y': 0,
  'tous publics': 0,
  'e/i': 0,
  'tv-pg': 10,
  pg: 10,
  m: 16,
  r: 17,
  'tv-ma': 17,
  x: 18,
  xxx: 18,
}

/** Ratings of pornography. */
const ADULT = new Set(['x', 'xxx', 'r18', 'r18+', 'x18', 'x18+'])

/**
 * Converts an age rating of a metadata file, such as `10+`, `-12`, `FSK 16`, `PG-13`, `TV-Y7` or `US:R`, to a
 * morality level and an adult flag. Returns the lowest level whose age is at least the rating's age; 0 for a
 * rating without an age.
 */
export function readAgeRating(text: string | undefined): { moralityLevel: number; adult: boolean } {
  const plain = (text ?? '')
    .toLowerCase()
    .replace(/^[a-z]{2}:/, '')
    .replace(/^rated\s+/, '')
    .trim()
  const age = AGES[plain] ?? Number(/\d{1,2}/.exec(plain)?.[0] ?? 0)
  if (age <= 0) return { moralityLevel: 0, adult: ADULT.has(plain) }
  const index = LEVEL_AGES.findIndex((levelAge) => levelAge >= age)
  return { moralityLevel: index === -1 ? LEVEL_AGES.length : index + 1, adult: ADULT.has(plain) }
}
