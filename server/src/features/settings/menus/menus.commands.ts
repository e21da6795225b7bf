import { commandsOf } from '../../../documents/commands-of.ts'
import { readObject } from '../../../documents/document-commands.ts'

const { reading, changing, restoring, undoing, history } = commandsOf({
  subjectOf: () => undefined,
  documentOf: ({ menus }, storefrontId) => menus.document(storefrontId),
  undo: () => 'menus undo',
})

export const getMenusCommand = reading(
  {
    name: 'menus get',
    summary:
      'Show the published menus as JSON, by language; nothing if the menus of the catalogue are shown.',
    arguments: [],
  },
  (_context, { document }, _input, report) =>
    report({ text: JSON.stringify(document.current().content, null, 2) }),
)

export const loadMenusCommand = changing(
  {
    name: 'menus load',
    summary: 'Publish the menus of a file, such as `menus get` writes.',
    arguments: [{ name: 'file', summary: 'a JSON file', isPath: true }],
  },
  async (_context, { document, base, authorship }, [file = '']) =>
    await document.replace(base, await readObject(file), authorship),
)

export const restoreMenusCommand = restoring(
  { name: 'menus restore', summary: 'Publish the menus of an earlier revision again.' },
  'the menus of the catalogue',
)

export const undoMenusCommand = undoing({
  name: 'menus undo',
  summary: 'Undo the last change to the menus; repeat to undo earlier ones.',
})

export const menusHistoryCommand = history({
  name: 'menus history',
  summary: 'Show the history of the menus: who changed what, when and why, newest last.',
})
