import { readFile, stat } from 'node:fs/promises'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Problem } from '../../../files/scan-folder.ts'
import { decodeText } from '../../../ingest/text-encoding.ts'
import { keywordOf } from '../../../metadata/keywords.ts'
import { type Nfo, readNfo } from './nfo.ts'
import type { WrittenFiles } from './sidecars.ts'

/** Texts by language, and values that do not depend on the language. */
export interface Metadata {
  titles: LocalisedText
  plots: LocalisedText
  taglines: LocalisedText
  /** Keywords, normalised by `keywordOf`. */
  keywords: string[]
  nfo: Nfo
}

const MAX_BYTES = 4_000_000

/** Reads a title's metadata files. Reports unreadable parts, and uses the other parts. */
export async function readMetadata(
  files: WrittenFiles,
  language: string,
  problems: Problem[],
): Promise<Metadata> {
  const nfo = files.own === null ? readNfo('').nfo : await readFileNfo(files.own, problems)
  const metadata: Metadata = { titles: {}, plots: {}, taglines: {}, keywords: [...nfo.tags], nfo }
  const take = (language: string, { title, plot, tagline }: Nfo): void => {
    if (title !== undefined) metadata.titles[language] = title
    if (plot !== undefined) metadata.plots[language] = plot
    if (tagline !== undefined) metadata.taglines[language] = tagline
  }
  take(language, nfo)
  for (const [code, path] of files.localised) {
    const localised = await readFileNfo(path, problems)
    take(code, localised)
    metadata.keywords.push(...localised.tags.map((tag) => keywordOf(code, tag)))
  }
  return metadata
}

async function readFileNfo(path: string, problems: Problem[]): Promise<Nfo> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) {
      problems.push({ path, reason: `it has ${size} bytes` })
      return readNfo('').nfo
    }
    const { nfo, problem } = readNfo(decodeText(await readFile(path), 'und'))
    if (problem !== null) problems.push({ path, ...problem })
    return nfo
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    problems.push({ path, reason: error.message })
    return readNfo('').nfo
  }
}
