import { isLanguage } from '@ondine/contract/languages'
import { type Command, CommandError } from '../../../control/commands.ts'
import { readTextFile } from '../../../control/read-text-file.ts'
import { commandsOf } from '../../../documents/commands-of.ts'
import { STOREFRONT_OPTION, storefrontOf } from '../../../documents/document-commands.ts'
import { LARGEST_TEXT } from './find-articles.ts'
import type { TextName } from './written-article.ts'

const PAGE = { page: 1, count: 100 }

const { reading, changing, restoring, undoing, history } = commandsOf<TextName>({
  subject: [
    { name: 'language', summary: 'three letters, such as fra' },
    { name: 'address', summary: 'type and slug, such as articles/la-houle or page/contact' },
  ],
  subjectOf: ({ arguments: [language = '', address = ''] }) => {
    if (!isLanguage(language))
      throw new CommandError(`${language} is not a language: give three letters, such as fra.`)
    const [, type, slug] = /^([^/\s]{1,100})\/([^/\s]{1,100})$/.exec(address) ?? []
    if (type === undefined || slug === undefined)
      throw new CommandError(`${address} is not an address: give type and slug, such as articles/la-houle.`)
    return { language, type, slug }
  },
  documentOf: ({ texts }, storefrontId, name) => texts.document({ storefrontId, ...name }),
  undo: ({ language, type, slug }) => `editorial undo ${language} ${type}/${slug}`,
})

export const listTextsCommand: Command = {
  name: 'editorial list',
  summary: 'List the articles, pages and sections, including drafts.',
  arguments: [{ name: 'type', summary: 'only those of a type, such as page', optional: true }],
  options: [STOREFRONT_OPTION],
  run: async (context, input, { report, signal }) => {
    const { id } = storefrontOf(context, input)
    const [type] = input.arguments
    for (let { page } = PAGE; ; page++) {
      signal.throwIfAborted()
      const found = await context.texts.list(id, { type }, { ...PAGE, page })
      for (const { language, type, slug, title, draft, file } of found) {
        const origin = file === null ? '' : `  (${file})`
        report({ text: `${language}  ${type}/${slug}  ${title}${draft ? '  draft' : ''}${origin}` })
      }
      if (found.length < PAGE.count) return
    }
  },
}

export const getTextCommand = reading(
  { name: 'editorial get', summary: 'Show a text as an operator wrote it.', arguments: [] },
  ({ texts }, { storefrontId, subject }, _input, report) => {
    const { markdown } = texts.stored({ storefrontId, ...subject })
    if (markdown === undefined)
      throw new CommandError('No operator wrote that text; `editorial list` shows its file.')
    report({ text: markdown })
  },
)

export const putTextCommand = changing(
  {
    name: 'editorial put',
    summary: 'Create a text, or replace it.',
    arguments: [{ name: 'file', summary: 'Markdown with front matter', isPath: true }],
  },
  async ({ texts }, { storefrontId, subject, base, authorship }, [file = '']) => {
    const markdown = await readTextFile(file, { largest: LARGEST_TEXT })
    return await texts.write({ storefrontId, ...subject }, base, markdown, authorship)
  },
)

export const removeTextCommand = changing(
  { name: 'editorial remove', summary: 'Remove a text.', arguments: [] },
  async ({ texts }, { storefrontId, subject, base, authorship }) =>
    await texts.remove({ storefrontId, ...subject }, base, authorship),
)

export const restoreTextCommand = restoring(
  { name: 'editorial restore', summary: 'Restore an earlier revision of a text.' },
  'none',
)

export const undoTextCommand = undoing({
  name: 'editorial undo',
  summary: 'Undo the last change to a text; repeat to undo earlier ones.',
})

export const textHistoryCommand = history({
  name: 'editorial history',
  summary: 'Show the history of a text: who changed what, when and why, newest last.',
})
