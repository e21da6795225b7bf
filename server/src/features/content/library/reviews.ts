import { readFile, stat } from 'node:fs/promises'
import { type ReviewSummary, reviewSummary } from '@ondine/contract/review-summaries'
import type { Problem } from '../../../files/scan-folder.ts'
import { decodeText } from '../../../ingest/text-encoding.ts'
import { plainIssue } from '../../../plain-issue.ts'
import type { SummaryTexts } from '../review-summaries/review-summaries.table.ts'
import type { WrittenFiles } from './sidecars.ts'

const MAX_BYTES = 500_000

/** Reads the review summaries of a title. An unreadable file is reported and skipped. */
export async function readReviews(
  files: WrittenFiles,
  language: string,
  problems: Problem[],
): Promise<SummaryTexts> {
  const texts: SummaryTexts = {}
  const all = [...(files.own === null ? [] : [[language, files.own] as const]), ...files.localised]
  for (const [code, path] of all) {
    const read = await readSummaryFile(path)
    if (typeof read === 'string') problems.push({ path, reason: read })
    else texts[code] = read
  }
  return texts
}

/** Reads a summary file. @returns the summary, or a description of the error */
async function readSummaryFile(path: string): Promise<ReviewSummary | string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) return `it has ${size} bytes`
    const parsed = reviewSummary.safeParse(JSON.parse(decodeText(await readFile(path), 'und')), {
      error: plainIssue,
    })
    if (parsed.success) return parsed.data
    const [fault] = parsed.error.issues
    return fault === undefined ? 'it is not a summary' : `${fault.path.join('.') || 'it'}: ${fault.message}`
  } catch (error) {
    if (error instanceof SyntaxError) return 'it is not JSON'
    if (error instanceof Error && 'code' in error) return error.message
    throw error
  }
}
