import { readFile, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import { decodeText } from '../../../ingest/text-encoding.ts'
import { type AgeRating, readAgeRating } from '../../../metadata/age-ratings.ts'
import { keywordOf } from '../../../metadata/keywords.ts'
import { type Nfo, readNfo } from './nfo.ts'
import type { WrittenFiles } from './sidecars.ts'
import { oneLine } from './video-names.ts'

/** Age rating of a title, as far as its files tell it. */
export interface FoundRating extends AgeRating {
  /**
   * Source of the rating. `rated`: a file has one. `unrated`: the files have none. `missing`: there is no file.
   * `unreadable`: a file may have a stricter rating, but could not be read.
   */
  basis: 'rated' | 'unrated' | 'missing' | 'unreadable'
}

/** Texts by language, and values that do not depend on the language. */
export interface Metadata {
  titles: LocalisedText
  plots: LocalisedText
  taglines: LocalisedText
  /** Keywords, normalised by `keywordOf`. */
  keywords: string[]
  rating: FoundRating
  /** When the title is available, as far as the file in the library's language tells it. */
  window: AvailabilityWindow
  /** Whether a file could not be read to its end, so that a stored title keeps what it has. */
  isPartial: boolean
  nfo: Nfo
}

/** When a title is available, in milliseconds since the Unix epoch. */
export interface AvailabilityWindow {
  from: number | undefined
  until: number | undefined
  /**
   * `partial`: the file has a fault, so a stored title keeps its times. `hidden`: the fault may be in these times, so
   * a new title stays hidden.
   */
  fault: 'none' | 'partial' | 'hidden'
}

const MAX_BYTES = 4_000_000

/** Text for the operator: the level of a title whose age rating cannot be read. */
const KEEPS_RATING =
  'until it is repaired, its title keeps its age rating, and a new title gets the strictest'

/** Text for the operator: the times of a title whose times cannot be read. */
const KEEPS_WINDOW = 'until it is repaired, its title keeps its times, and a new title stays hidden'

/** Text for the operator: the texts of a title whose file cannot be read to its end. */
const KEEPS_TEXTS = 'until it is repaired, its title keeps its stored texts, people, genres and address'

/** Reads a title's metadata files. Reports unreadable parts, and uses the other parts. */
export async function readMetadata(
  files: WrittenFiles,
  language: string,
  problems: Problem[],
): Promise<Metadata> {
  const metadata: Metadata = {
    titles: {},
    plots: {},
    taglines: {},
    keywords: [],
    ...(await readOwn(files.own, problems)),
  }
  const readRatings = async (paths: readonly string[]): Promise<FoundRating[]> =>
    await Promise.all(paths.map(async (path) => (await readOwn(path, problems)).rating))
  metadata.rating = strictest([metadata.rating, ...(await readRatings(files.others))])
  if (metadata.rating.basis !== 'rated')
    metadata.rating = strictest([metadata.rating, ...(await readRatings(files.fallback))])
  const take = (language: string, { title, plot, tagline }: Nfo): void => {
    if (title !== undefined) metadata.titles[language] = title
    if (plot !== undefined) metadata.plots[language] = plot
    if (tagline !== undefined) metadata.taglines[language] = tagline
  }
  take(language, metadata.nfo)
  metadata.keywords.push(...metadata.nfo.tags)
  for (const [code, path] of files.localised) {
    const { nfo, problem } = await readFileNfo(path)
    if (problem !== null) {
      problems.push({ path, ...problem, reason: `${problem.reason}; ${KEEPS_TEXTS}` })
      metadata.isPartial = true
    }
    take(code, nfo)
    metadata.keywords.push(...nfo.tags.map((tag) => keywordOf(code, tag)))
  }
  return metadata
}

/** Joins the ratings of several files of a title: the strictest applies. */
export function strictest(ratings: readonly FoundRating[]): FoundRating {
  const bases = ['unreadable', 'rated', 'unrated', 'missing'] as const
  return {
    moralityLevel: Math.max(...ratings.map(({ moralityLevel }) => moralityLevel)),
    adult: ratings.some(({ adult }) => adult),
    basis: bases.find((basis) => ratings.some((rating) => rating.basis === basis)) ?? 'missing',
  }
}

/** Reads a file of the library's language. Only their age ratings and times count. */
async function readOwn(
  path: string | null,
  problems: Problem[],
): Promise<Pick<Metadata, 'nfo' | 'rating' | 'window' | 'isPartial'>> {
  const without = { moralityLevel: 0, adult: false }
  if (path === null) {
    const rating = { ...without, basis: 'missing' } as const
    return { nfo: readNfo('').nfo, rating, window: ALWAYS, isPartial: false }
  }
  // Several titles of a folder may have the same file.
  const report = (problem: Problem): void => {
    if (!problems.some((known) => isDeepStrictEqual(known, problem))) problems.push(problem)
  }
  const reading = await readFileNfo(path)
  const { nfo, problem, mayHaveRating } = reading
  const isPartial = problem !== null && mayHaveRating
  const window = windowOf(reading)
  for (const element of nfo.invalidTimes)
    report({ path, reason: `its ${element} is not a time with a time zone; ${KEEPS_WINDOW}` })
  const { from, until, fault } = window
  if (fault === 'none' && from !== undefined && until !== undefined && until <= from) {
    report({ path, reason: `its availableuntil is not after its availablefrom; ${KEEPS_WINDOW}` })
    window.fault = 'hidden'
  }
  const known = nfo.rating === undefined ? undefined : readAgeRating(nfo.rating)
  if (mayHaveRating && known !== undefined) {
    if (problem !== null) report({ path, ...problem, reason: `${problem.reason}; ${KEEPS_TEXTS}` })
    return { nfo, rating: { ...known, basis: 'rated' }, window, isPartial }
  }
  // Kodi also accepts a file with nothing but an address at a site about films. Such a file has no rating.
  if (!mayHaveRating || (problem === null && nfo.rating === undefined)) {
    if (problem !== null) report({ path, ...problem })
    return { nfo, rating: { ...without, basis: 'unrated' }, window, isPartial }
  }
  const { reason, ...where } = problem ?? {
    reason: `its age rating ${oneLine(nfo.rating ?? '', 40)} is not known`,
  }
  report({ path, ...where, reason: `${reason}; ${KEEPS_RATING}` })
  return { nfo, rating: { ...without, basis: 'unreadable' }, window, isPartial }
}

const ALWAYS: AvailabilityWindow = { from: undefined, until: undefined, fault: 'none' }

function windowOf({ nfo, problem, mayHaveRating, mayHaveTimes }: FileReading): AvailabilityWindow {
  const isDamaged = problem !== null && mayHaveRating
  const isHidden = nfo.invalidTimes.length > 0 || (isDamaged && mayHaveTimes)
  return {
    from: nfo.availablefrom,
    until: nfo.availableuntil,
    fault: isHidden ? 'hidden' : isDamaged ? 'partial' : 'none',
  }
}

interface FileReading {
  nfo: Nfo
  /** Why the file, or the rest of it, could not be read. */
  problem: Omit<Problem, 'path'> | null
  /** Whether the part that could not be read may have an age rating. */
  mayHaveRating: boolean
  /** Whether the file may have times of availability. */
  mayHaveTimes: boolean
}

async function readFileNfo(path: string): Promise<FileReading> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES)
      return {
        nfo: readNfo('').nfo,
        problem: { reason: `it has ${size} bytes` },
        mayHaveRating: true,
        mayHaveTimes: true,
      }
    const text = decodeText(await readFile(path), 'und')
    return {
      ...readNfo(text),
      mayHaveRating: text.includes('<') || !text.includes('://'),
      mayHaveTimes: /<available(?:from|until)\b/.test(text),
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return {
      nfo: readNfo('').nfo,
      problem: { reason: error.message },
      mayHaveRating: true,
      mayHaveTimes: true,
    }
  }
}
