import { readFile, stat } from 'node:fs/promises'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import { decodeText } from '../../../ingest/text-encoding.ts'
import { type AgeRating, readAgeRating } from '../../../metadata/age-ratings.ts'
import { keywordOf } from '../../../metadata/keywords.ts'
import { type Nfo, readNfo } from './nfo.ts'
import type { WrittenFiles } from './sidecars.ts'
import { oneLine } from './video-names.ts'

/** Texts by language, and values that do not depend on the language. */
export interface Metadata {
  titles: LocalisedText
  plots: LocalisedText
  taglines: LocalisedText
  /** Keywords, normalised by `keywordOf`. */
  keywords: string[]
  /**
   * Age rating in the file of the library's language: `none` if there is no rating, `unreadable` if the file has a
   * problem and no known rating.
   */
  rating: AgeRating | 'none' | 'unreadable'
  nfo: Nfo
}

const MAX_BYTES = 4_000_000

/** Text for the operator: the level of a title whose age rating cannot be read. */
const KEEPS_RATING =
  'until it is repaired, its title keeps its age rating, and a new title gets the strictest'

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
    ...(await readOwn(files, problems)),
  }
  const take = (language: string, { title, plot, tagline }: Nfo): void => {
    if (title !== undefined) metadata.titles[language] = title
    if (plot !== undefined) metadata.plots[language] = plot
    if (tagline !== undefined) metadata.taglines[language] = tagline
  }
  take(language, metadata.nfo)
  metadata.keywords.push(...metadata.nfo.tags)
  for (const [code, path] of files.localised) {
    const { nfo, problem } = await readFileNfo(path)
    if (problem !== null) problems.push({ path, ...problem })
    take(code, nfo)
    metadata.keywords.push(...nfo.tags.map((tag) => keywordOf(code, tag)))
  }
  return metadata
}

/** Reads the file of the library's language: the only one whose age rating counts. */
async function readOwn(
  { own: path }: WrittenFiles,
  problems: Problem[],
): Promise<Pick<Metadata, 'nfo' | 'rating'>> {
  if (path === null) return { nfo: readNfo('').nfo, rating: 'none' }
  const { nfo, problem, mayHaveRating } = await readFileNfo(path)
  const known = nfo.rating === undefined ? undefined : readAgeRating(nfo.rating)
  // Kodi also accepts a file with nothing but an address at a site about films. Such a file has no rating.
  const rating = mayHaveRating ? known : 'none'
  if (rating !== undefined) {
    if (problem !== null) problems.push({ path, ...problem })
    return { nfo, rating }
  }
  if (problem === null && nfo.rating === undefined) return { nfo, rating: 'none' }
  const { reason, ...where } = problem ?? {
    reason: `its age rating ${oneLine(nfo.rating ?? '', 40)} is not known`,
  }
  problems.push({ path, ...where, reason: `${reason}; ${KEEPS_RATING}` })
  return { nfo, rating: 'unreadable' }
}

interface FileReading {
  nfo: Nfo
  /** Why the file, or the rest of it, could not be read. */
  problem: Omit<Problem, 'path'> | null
  /** Whether the part that could not be read may have an age rating. */
  mayHaveRating: boolean
}

async function readFileNfo(path: string): Promise<FileReading> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES)
      return { nfo: readNfo('').nfo, problem: { reason: `it has ${size} bytes` }, mayHaveRating: true }
    const text = decodeText(await readFile(path), 'und')
    return { ...readNfo(text), mayHaveRating: text.includes('<') || !text.includes('://') }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return { nfo: readNfo('').nfo, problem: { reason: error.message }, mayHaveRating: true }
  }
}
