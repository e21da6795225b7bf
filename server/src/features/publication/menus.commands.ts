import type { Context } from '../../context.ts'
import type { Command, CommandInput } from '../../control/commands.ts'
import {
  authorshipOf,
  CHANGE_OPTIONS,
  inWords,
  numberOf,
  readObject,
  reportChange,
  reportHistory,
  STOREFRONT_OPTION,
  storefrontOf,
} from '../documents/document-commands.ts'
import type { Changed } from '../documents/document-editor.ts'
import type { Authorship } from '../documents/documents.service.ts'

/** `menus get`. */
export const getMenusCommand: Command = {
  name: 'menus get',
  summary: 'Show the published menus as JSON, by language; nothing where those of the catalogue are shown.',
  arguments: [],
  options: [STOREFRONT_OPTION],
  run: async (context, input, { report }) => {
    const { set } = context.menus.stored(storefrontOf(context, input).id)
    report({ text: JSON.stringify(set, null, 2) })
  },
}

/** `menus load`. */
export const loadMenusCommand = changingCommand(
  {
    name: 'menus load',
    summary: 'Publish the menus of a file, such as `menus get` writes.',
    arguments: [{ name: 'file', summary: 'a JSON file', isPath: true }],
  },
  async ({ menus }, { storefrontId, base, authorship }, [file = '']) =>
    await menus.replace(storefrontId, base, await readObject(file), authorship),
)

/** `menus restore`. */
export const restoreMenusCommand = changingCommand(
  {
    name: 'menus restore',
    summary: 'Publish the menus of an earlier revision again.',
    arguments: [{ name: 'revision', summary: 'its number; 0 for the menus of the catalogue' }],
  },
  async ({ menus }, { storefrontId, base, authorship }, [revision = '']) =>
    await menus.restore(storefrontId, base, numberOf(revision), authorship),
)

/** `menus undo`. */
export const undoMenusCommand = changingCommand(
  {
    name: 'menus undo',
    summary: 'Take the last change of the menus back; again, the one before it.',
    arguments: [],
  },
  async ({ menus }, { storefrontId, base, authorship }) => await menus.undo(storefrontId, base, authorship),
)

/** `menus history`. */
export const menusHistoryCommand: Command = {
  name: 'menus history',
  summary: 'Show who changed the menus, when, why and what, the newest last.',
  arguments: [{ name: 'count', summary: 'how many changes; 20 by default', optional: true }],
  options: [STOREFRONT_OPTION],
  run: async (context, input, { report }) =>
    await inWords(async () => {
      const [count = '20'] = input.arguments
      const page = { before: Number.MAX_SAFE_INTEGER, count: Math.min(numberOf(count), 1000) }
      reportHistory(await context.menus.history(storefrontOf(context, input).id, page), report)
    }),
}

interface Target {
  storefrontId: number
  base: number
  authorship: Authorship
}

function changingCommand(
  command: Pick<Command, 'name' | 'summary' | 'arguments'>,
  change: (context: Context, target: Target, written: string[]) => Promise<Changed>,
): Command {
  return {
    ...command,
    options: CHANGE_OPTIONS,
    run: async (context: Context, input: CommandInput, { report }) =>
      await inWords(async () => {
        const { id } = storefrontOf(context, input)
        const target = {
          storefrontId: id,
          base: context.menus.stored(id).revision,
          authorship: authorshipOf(input),
        }
        reportChange(await change(context, target, input.arguments), 'menus undo', report)
      }),
  }
}
