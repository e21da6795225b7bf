import type { Context } from '../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../control/commands.ts'
import { ServiceError } from '../../http/errors.ts'
import {
  authorshipOf,
  CHANGE_OPTIONS,
  inWords,
  numberOf,
  parseJson,
  type Reporter,
  readObject,
  reportChange,
  reportDifferences,
  reportHistory,
  STOREFRONT_OPTION,
  storefrontOf,
} from '../documents/document-commands.ts'
import type { Changed } from '../documents/document-editor.ts'
import type { Authorship } from '../documents/documents.service.ts'
import { valueAt } from './configuration-document.ts'
import { listFields } from './field-list.ts'

/** What a command about one storefront's configuration works on. */
interface Target {
  storefrontId: number
  base: number
  authorship: Authorship
}

/** Makes a command that shows something of a configuration. */
function readingCommand(
  command: Pick<Command, 'name' | 'summary' | 'arguments'> & { options?: Command['options'] },
  show: (context: Context, target: Target, input: CommandInput, report: Reporter) => Promise<void>,
): Command {
  return {
    ...command,
    options: [STOREFRONT_OPTION, ...(command.options ?? [])],
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
        reportChange(await change(context, target, input.arguments), 'config undo', report)
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
    const document = await readObject(file)
    return await configurations.replace(storefrontId, base, document, authorship)
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
    await configurations.restore(storefrontId, base, numberOf(revision), authorship),
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
    const until = to === undefined ? base : numberOf(to)
    const differences = await configurations.diff(storefrontId, numberOf(from), until)
    reportDifferences(differences, report)
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
    const page = { count: Math.min(numberOf(count), 1000) }
    reportHistory(await configurations.history(storefrontId, page), report)
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

function targetOf(context: Context, input: CommandInput): Target {
  const { id } = storefrontOf(context, input)
  return {
    storefrontId: id,
    base: context.configurations.stored(id).revision,
    authorship: authorshipOf(input),
  }
}
