import { readFile, stat } from 'node:fs/promises'
import type { Difference } from '@ondine/contract/configuration-calls'
import type { Context } from '../../context.ts'
import { type Command, CommandError, type CommandInput, type Report } from '../../control/commands.ts'
import { ServiceError } from '../../http/errors.ts'
import type { Changed } from './configuration.service.ts'
import { type StoredConfiguration, valueAt } from './configuration-document.ts'
import { listFields } from './field-list.ts'

/** Largest file that `config load` takes. */
const MAX_FILE_BYTES = 1_000_000

const STOREFRONT = {
  flags: '--storefront <apiKey>',
  summary: 'whose configuration; the first one by default',
}
const AUTHORSHIP = [
  { flags: '--reason <text>', summary: 'why, for the history' },
  { flags: '--by <name>', summary: 'who, for the history', default: 'command line' },
]
const CHANGE_OPTIONS = [STOREFRONT, ...AUTHORSHIP]

type Reporter = (report: Report) => void

/** What a command about one storefront's configuration works on. */
interface Target {
  storefrontId: number
  base: number
  authorship: { author: string; reason: string }
}

/** Makes a command that shows something of a configuration. */
function readingCommand(
  command: Pick<Command, 'name' | 'summary' | 'arguments'> & { options?: Command['options'] },
  show: (context: Context, target: Target, input: CommandInput, report: Reporter) => Promise<void>,
): Command {
  return {
    ...command,
    options: [STOREFRONT, ...(command.options ?? [])],
    run: async (context, input, { report }) =>
      await inWords(async () => await show(context, targetOf(context, input), input, report)),
  }
}

/** Makes a command that changes a configuration, and says what has changed. */
function changingCommand(
  command: Pick<Command, 'name' | 'summary' | 'arguments'>,
  change: (context: Context, target: Target, args: string[]) => Promise<Changed>,
): Command {
  return {
    ...command,
    options: CHANGE_OPTIONS,
    run: async (context, input, { report }) =>
      await inWords(async () => {
        const target = targetOf(context, input)
        reportChange(await change(context, target, input.arguments), report)
      }),
  }
}

/** `config get`. */
export const getConfigCommand = readingCommand(
  {
    name: 'config get',
    summary: 'Show the configuration, or a part of it, as JSON.',
    arguments: [{ name: 'path', summary: 'section or field, such as colors.accent', optional: true }],
    options: [{ flags: '--set', summary: 'only what was set' }],
  },
  async ({ configurations }, { storefrontId }, { arguments: [path = ''], options }, report) => {
    const shown =
      options.set === true ? configurations.stored(storefrontId).set : configurations.of(storefrontId)
    const value = valueAt(shown, path)
    if (value === undefined) throw new CommandError(`${path} is not ${options.set ? 'set' : 'a field'}.`)
    report({ text: JSON.stringify(value, null, 2) })
  },
)

/** `config set`. */
export const setConfigCommand = changingCommand(
  {
    name: 'config set',
    summary: 'Set a field of the configuration.',
    arguments: [
      { name: 'path', summary: 'the field, such as colors.accent' },
      { name: 'value', summary: 'its value as JSON; a text may stand without quotes' },
    ],
  },
  async ({ configurations }, { storefrontId, base, authorship }, [path = '', written = '']) => {
    const change = async (value: unknown) =>
      await configurations.change(storefrontId, base, [{ path, value }], authorship)
    const value = parseJson(written)
    if (value === undefined || typeof value === 'string') return await change(value ?? written)
    try {
      return await change(value)
    } catch (error) {
      // A text that looks like a number is meant as what the field takes.
      if (!(error instanceof ServiceError) || error.error !== 'invalidInput') throw error
      return await change(written).catch(() => {
        throw error
      })
    }
  },
)

/** `config unset`. */
export const unsetConfigCommand = changingCommand(
  {
    name: 'config unset',
    summary: 'Give a field of the configuration its default again.',
    arguments: [{ name: 'path', summary: 'the field, or a whole section' }],
  },
  async ({ configurations }, { storefrontId, base, authorship }, [path = '']) =>
    await configurations.change(storefrontId, base, [{ path }], authorship),
)

/** `config load`. */
export const loadConfigCommand = changingCommand(
  {
    name: 'config load',
    summary: 'Set the whole configuration from a file, such as `config get --set` writes.',
    arguments: [{ name: 'file', summary: 'a JSON file', isPath: true }],
  },
  async ({ configurations }, { storefrontId, base, authorship }, [file = '']) => {
    const document = parseJson(await readText(file))
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      throw new CommandError(`${file} holds no JSON object.`)
    return await configurations.replace(storefrontId, base, document as StoredConfiguration, authorship)
  },
)

/** `config restore`. */
export const restoreConfigCommand = changingCommand(
  {
    name: 'config restore',
    summary: 'Make an earlier revision of the configuration the newest again.',
    arguments: [{ name: 'revision', summary: 'its number; 0 for the configuration before anything was set' }],
  },
  async ({ configurations }, { storefrontId, base, authorship }, [revision = '']) =>
    await configurations.restore(storefrontId, base, revisionOf(revision), authorship),
)

/** `config undo`. */
export const undoConfigCommand = changingCommand(
  {
    name: 'config undo',
    summary: 'Take the last change of the configuration back; again, the one before it.',
    arguments: [],
  },
  async ({ configurations }, { storefrontId, base, authorship }) =>
    await configurations.undo(storefrontId, base, authorship),
)

/** `config diff`. */
export const diffConfigCommand = readingCommand(
  {
    name: 'config diff',
    summary: 'Show what differs between two revisions; without any, what was set.',
    arguments: [
      { name: 'from', summary: 'a revision; 0 by default', optional: true },
      { name: 'to', summary: 'a revision; the newest by default', optional: true },
    ],
  },
  async ({ configurations }, { storefrontId, base }, { arguments: [from = '0', to] }, report) => {
    const until = to === undefined ? base : revisionOf(to)
    const differences = await configurations.diff(storefrontId, revisionOf(from), until)
    if (differences.length === 0) report({ text: 'No difference.' })
    for (const difference of differences) report({ text: lineOf(difference) })
  },
)

/** `config history`. */
export const configHistoryCommand = readingCommand(
  {
    name: 'config history',
    summary: 'Show who changed the configuration, when, why and what, the newest last.',
    arguments: [{ name: 'count', summary: 'how many changes; 20 by default', optional: true }],
  },
  async ({ configurations }, { storefrontId }, { arguments: [count = '20'] }, report) => {
    const page = { before: Number.MAX_SAFE_INTEGER, count: Math.min(revisionOf(count), 1000) }
    const entries = await configurations.history(storefrontId, page)
    if (entries.length === 0) report({ text: 'Nothing was ever set.' })
    for (const { revision, author, reason, madeAt, restores, differences } of entries.toReversed()) {
      const back = restores === null ? '' : `, back to ${restores}`
      const why = reason === '' ? '' : `: ${reason}`
      report({ text: `${revision}  ${new Date(madeAt).toISOString()}  ${author}${back}${why}` })
      for (const difference of differences) report({ text: `     ${lineOf(difference)}` })
    }
  },
)

/** `config fields`. */
export const configFieldsCommand: Command = {
  name: 'config fields',
  summary: 'List the fields of the configuration with their types, defaults and meaning.',
  arguments: [{ name: 'part', summary: 'only those whose path holds this', optional: true }],
  run: async (_context, { arguments: [part = ''] }, { report }) => {
    for (const { path, type, default: fallback, summary } of listFields()) {
      if (!path.toLowerCase().includes(part.toLowerCase())) continue
      report({ text: `${path}\n     ${summary}\n     ${type}; default ${JSON.stringify(fallback)}` })
    }
  },
}

function targetOf({ storefronts, configurations }: Context, { options }: CommandInput): Target {
  const storefront = storefronts.of(typeof options.storefront === 'string' ? options.storefront : undefined)
  if (!storefront) throw new CommandError('There is no storefront with that api key.')
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 500) : '')
  return {
    storefrontId: storefront.id,
    base: configurations.stored(storefront.id).revision,
    authorship: { author: text(options.by), reason: text(options.reason) },
  }
}

/** Says what the service refuses as lines that tell what to do. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.error === 'conflict')
      throw new CommandError(
        'Somebody else changed the configuration at the same time. Run the command again.',
      )
    if (error.error === 'notFound') throw new CommandError('There is no such revision.')
    const lines = error.details?.fields?.map(({ field, message }) => `  ${field}: ${message}`) ?? []
    throw new CommandError(['Nothing was changed:', ...lines].join('\n'))
  }
}

function reportChange({ revision, differences, warnings }: Changed, report: Reporter): void {
  for (const { path, message } of warnings) report({ text: `Warning: ${path}: ${message}` })
  for (const difference of differences) report({ text: lineOf(difference) })
  report({ text: `This is revision ${revision}. \`config undo\` takes it back.` })
}

function lineOf({ path, from, to }: Difference): string {
  return `${path}: ${shown(from)} -> ${shown(to)}`
}

function shown(value: unknown): string {
  return value === undefined ? '(default)' : JSON.stringify(value)
}

function revisionOf(written: string): number {
  if (!/^\d{1,9}$/.test(written)) throw new CommandError(`${written} is no number.`)
  return Number(written)
}

function parseJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    // Not JSON: the caller decides what it is then.
    return undefined
  }
}

async function readText(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new CommandError(`There is no file ${file}.`)
  if (found.size > MAX_FILE_BYTES) throw new CommandError(`${file} is too large for a configuration.`)
  return await readFile(file, 'utf8')
}
