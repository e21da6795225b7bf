import type { Difference } from '@ondine/contract/document-calls'
import type { Context } from '../context.ts'
import { CommandError, type CommandInput, type Report } from '../control/commands.ts'
import { readTextFile } from '../control/read-text-file.ts'
import { ServiceError } from '../http/errors.ts'
import type { Storefront } from '../http/operations.ts'
import type { Changed, HistoryEntry } from './editable-document.ts'
import type { Authorship } from './revision-store.ts'

// Shared parts of the commands that change a document of a storefront.

/** Largest file that a command loads, in bytes. */
const MAX_FILE_BYTES = 1_000_000
/** Maximum length of the author and of the reason of a change, in characters. */
const MAX_TEXT = 500

export type Reporter = (report: Report) => void

/** Option that selects the storefront. */
export const STOREFRONT_OPTION = {
  flags: '--storefront <apiKey>',
  summary: 'API key of the storefront; the first storefront by default',
}

/** Options for the storefront, the author and the reason of a change. */
export const CHANGE_OPTIONS = [
  STOREFRONT_OPTION,
  { flags: '--reason <text>', summary: 'reason for the change, shown in the history' },
  { flags: '--by <name>', summary: 'author of the change, shown in the history', default: 'command line' },
]

/** Returns the storefront that a command names, or the first storefront. @throws CommandError for an unknown API key */
export function storefrontOf({ storefronts }: Context, { options }: CommandInput): Storefront {
  const found = storefronts.of(typeof options.storefront === 'string' ? options.storefront : undefined)
  if (!found) throw new CommandError('There is no storefront with that api key.')
  return found
}

/** Returns the author and the reason of a command's change. */
export function authorshipOf({ options }: CommandInput): Authorship {
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '')
  return { author: text(options.by), reason: text(options.reason) }
}

/** Runs `work`. Converts a ServiceError into a CommandError with lines that say how to correct the input. */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.error === 'conflict')
      throw new CommandError('Somebody else changed it at the same time. Run the command again.')
    if (error.error === 'notFound') throw new CommandError('There is no such revision.')
    const lines = error.details?.fields?.map(({ field, message }) => `  ${field}: ${message}`) ?? []
    throw new CommandError(['Nothing was changed:', ...lines].join('\n'))
  }
}

/** Reports a change. `next` says what the operator can do about it. */
export function reportChange({ revision, differences, warnings }: Changed, next: string, report: Reporter) {
  for (const { path, message } of warnings) report({ text: `Warning: ${path}: ${message}` })
  reportDifferences(differences, report)
  report({ text: `This is revision ${revision}. ${next}` })
}

/** Reports differences. */
export function reportDifferences(differences: readonly Difference[], report: Reporter): void {
  if (differences.length === 0) report({ text: 'No difference.' })
  for (const difference of differences) report({ text: lineOf(difference) })
}

/** Reports the changes with their authors, the newest last. */
export function reportHistory(entries: readonly HistoryEntry[], report: Reporter): void {
  if (entries.length === 0) report({ text: 'Nothing was ever set.' })
  for (const { revision, author, reason, madeAt, restores, differences } of entries.toReversed()) {
    const back = restores === null ? '' : `, back to ${restores}`
    const why = reason === '' ? '' : `: ${reason}`
    report({ text: `${revision}  ${new Date(madeAt).toISOString()}  ${author}${back}${why}` })
    for (const difference of differences) report({ text: `     ${lineOf(difference)}` })
  }
}

/** Parses a number. @throws CommandError when the text is not a number */
export function numberOf(written: string): number {
  if (!/^\d{1,9}$/.test(written)) throw new CommandError(`${written} is not a number.`)
  return Number(written)
}

/** Reads a JSON file. @throws CommandError when the file does not contain a JSON object */
export async function readObject(file: string): Promise<Record<string, unknown>> {
  const content = parseJson(await readTextFile(file, { largest: MAX_FILE_BYTES }))
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new CommandError(`${file} does not contain a JSON object.`)
  return content as Record<string, unknown>
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    // The caller decides how to treat invalid JSON.
    return undefined
  }
}

function lineOf({ path, from, to }: Difference): string {
  return `${path}: ${shown(from)} -> ${shown(to)}`
}

function shown(value: unknown): string {
  return value === undefined ? '(default)' : JSON.stringify(value)
}
