import { type Command, CommandError } from '../../../control/commands.ts'
import { commandsOf } from '../../../documents/commands-of.ts'
import { parseJson, readObject } from '../../../documents/document-commands.ts'
import { ServiceError } from '../../../http/errors.ts'
import { valueAt } from './configuration-document.ts'
import { listFields } from './field-list.ts'

const { reading, changing, restoring, undoing, comparing, history } = commandsOf({
  subjectOf: () => undefined,
  documentOf: ({ configurations }, storefrontId) => configurations.document(storefrontId),
  undo: () => 'config undo',
})

export const getConfigCommand = reading(
  {
    name: 'config get',
    summary: 'Show the configuration, or a part of it, as JSON.',
    arguments: [{ name: 'path', summary: 'section or field, such as colors.accent', optional: true }],
    options: [{ flags: '--set', summary: 'only fields that were set' }],
  },
  ({ configurations }, { storefrontId }, { arguments: [path = ''], options }, report) => {
    const shown =
      options.set === true ? configurations.stored(storefrontId).set : configurations.of(storefrontId)
    const value = valueAt(shown, path)
    if (value === undefined) throw new CommandError(`${path} is not ${options.set ? 'set' : 'a field'}.`)
    report({ text: JSON.stringify(value, null, 2) })
  },
)

export const setConfigCommand = changing(
  {
    name: 'config set',
    summary: 'Set a field of the configuration.',
    arguments: [
      { name: 'path', summary: 'the field, such as colors.accent' },
      { name: 'value', summary: 'its value as JSON; a text needs no quotes' },
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
      // For a text field, the value may be a text that is also valid JSON, such as a number. So try the value as a
      // text.
      if (!(error instanceof ServiceError) || error.error !== 'invalidInput') throw error
      return await change(written).catch(() => {
        throw error
      })
    }
  },
)

export const unsetConfigCommand = changing(
  {
    name: 'config unset',
    summary: 'Reset a configuration field to its default.',
    arguments: [{ name: 'path', summary: 'the field, or a whole section' }],
  },
  async ({ configurations }, { storefrontId, base, authorship }, [path = '']) =>
    await configurations.change(storefrontId, base, [{ path }], authorship),
)

export const loadConfigCommand = changing(
  {
    name: 'config load',
    summary: 'Set the whole configuration from a file, such as `config get --set` writes.',
    arguments: [{ name: 'file', summary: 'a JSON file', isPath: true }],
  },
  async (_context, { document, base, authorship }, [file = '']) =>
    await document.replace(base, await readObject(file), authorship),
)

export const restoreConfigCommand = restoring(
  { name: 'config restore', summary: 'Restore an earlier revision of the configuration.' },
  'the configuration before anything was set',
)

export const undoConfigCommand = undoing({
  name: 'config undo',
  summary: 'Undo the last change to the configuration; repeat to undo earlier ones.',
})

export const diffConfigCommand = comparing({
  name: 'config diff',
  summary: 'Show what differs between two revisions; without arguments, everything that was set.',
})

export const configHistoryCommand = history({
  name: 'config history',
  summary: 'Show the history of the configuration: who changed what, when and why, newest last.',
})

export const configFieldsCommand: Command = {
  name: 'config fields',
  summary: 'List the fields of the configuration with their types, defaults and meaning.',
  arguments: [{ name: 'part', summary: 'only fields whose path contains this text', optional: true }],
  run: async (_context, { arguments: [part = ''] }, { report }) => {
    for (const { path, type, default: fallback, summary } of listFields()) {
      if (!path.toLowerCase().includes(part.toLowerCase())) continue
      report({ text: `${path}\n     ${summary}\n     ${type}; default ${JSON.stringify(fallback)}` })
    }
  },
}
