import { commandsOf } from '../documents/commands-of.ts'
import { numberOf, readObject } from '../documents/document-commands.ts'

const { reading, changing, history } = commandsOf({
  subjectOf: () => undefined,
  revisionOf: ({ menus }, storefrontId) => menus.stored(storefrontId).revision,
  undo: () => 'menus undo',
})

/** `menus get`. */
export const getMenusCommand = reading(
  {
    name: 'menus get',
    summary: 'Show the published menus as JSON, by language; nothing where those of the catalogue are shown.',
    arguments: [],
  },
  ({ menus }, { storefrontId }, _input, report) =>
    report({ text: JSON.stringify(menus.stored(storefrontId).set, null, 2) }),
)

/** `menus load`. */
export const loadMenusCommand = changing(
  {
    name: 'menus load',
    summary: 'Publish the menus of a file, such as `menus get` writes.',
    arguments: [{ name: 'file', summary: 'a JSON file', isPath: true }],
  },
  async ({ menus }, { storefrontId, base, authorship }, [file = '']) =>
    await menus.replace(storefrontId, base, await readObject(file), authorship),
)

/** `menus restore`. */
export const restoreMenusCommand = changing(
  {
    name: 'menus restore',
    summary: 'Publish the menus of an earlier revision again.',
    arguments: [{ name: 'revision', summary: 'its number; 0 for the menus of the catalogue' }],
  },
  async ({ menus }, { storefrontId, base, authorship }, [revision = '']) =>
    await menus.restore(storefrontId, base, numberOf(revision), authorship),
)

/** `menus undo`. */
export const undoMenusCommand = changing(
  {
    name: 'menus undo',
    summary: 'Take the last change of the menus back; again, the one before it.',
    arguments: [],
  },
  async ({ menus }, { storefrontId, base, authorship }) => await menus.undo(storefrontId, base, authorship),
)

/** `menus history`. */
export const menusHistoryCommand = history(
  {
    name: 'menus history',
    summary: 'Show who changed the menus, when, why and what, the newest last.',
  },
  async ({ menus }, { storefrontId }, page) => await menus.history(storefrontId, page),
)
