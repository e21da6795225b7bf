import { isLanguage, type Language } from '@ondine/contract/languages'
import { CommandError } from '../../../control/commands.ts'
import { writeTextFile } from '../../../control/write-text-file.ts'
import { commandsOf } from '../../../documents/commands-of.ts'
import { readObject } from '../../../documents/document-commands.ts'
import { textsByPath } from './bundled-texts.ts'
import { isSameText, type TextChange } from './words.service.ts'

const { reading, changing, restoring, undoing, comparing, history } = commandsOf<Language>({
  subject: [{ name: 'language', summary: 'three letters, such as fra' }],
  subjectOf: ({ arguments: [language = ''] }) => {
    if (isLanguage(language)) return language
    throw new CommandError(`${language} is not a language: give three letters, such as fra, eng, ara.`)
  },
  documentOf: ({ words }, storefrontId, language) => words.document(storefrontId, language),
  undo: (language) => `words undo ${language}`,
})

export const getWordsCommand = reading(
  {
    name: 'words get',
    summary: 'Show the texts of a language, or those whose path or text contains something.',
    arguments: [{ name: 'part', summary: 'a part of a path or text, such as home.', optional: true }],
    options: [
      { flags: '--set', summary: 'only texts that were set' },
      { flags: '--missing', summary: 'only texts that come from another language' },
    ],
  },
  ({ words }, { storefrontId, subject: language }, { arguments: [part = ''], options }, report) => {
    const { texts, missing } = words.state(storefrontId, language)
    const { set } = words.stored(storefrontId, language)
    const lacking = new Set(missing)
    const sought = part.toLocaleLowerCase()
    for (const [group, translations] of Object.entries(texts)) {
      for (const [name, text] of Object.entries(translations)) {
        const path = `${group}.${name}`
        if (options.set === true && !(path in set)) continue
        if (options.missing === true && !lacking.has(path)) continue
        if (`${path}\n${text}`.toLocaleLowerCase().includes(sought)) report({ text: `${path}  ${text}` })
      }
    }
  },
)

export const setWordsCommand = changing(
  {
    name: 'words set',
    summary: 'Set a text.',
    arguments: [
      { name: 'path', summary: 'such as home.title' },
      { name: 'text', summary: 'the text, with each of its {{name}} placeholders' },
    ],
  },
  async ({ words }, { storefrontId, subject: language, base, authorship }, [path = '', value = '']) =>
    await words.change(storefrontId, language, base, [{ path, value }], authorship),
)

export const unsetWordsCommand = changing(
  {
    name: 'words unset',
    summary: 'Reset a text to the one that is included in the service.',
    arguments: [{ name: 'path', summary: 'such as home.title' }],
  },
  async ({ words }, { storefrontId, subject: language, base, authorship }, [path = '']) =>
    await words.change(storefrontId, language, base, [{ path }], authorship),
)

export const importWordsCommand = changing(
  {
    name: 'words import',
    summary:
      'Set the texts of a language from a file, such as `words export` writes; texts that are not in the file stay unchanged.',
    arguments: [{ name: 'file', summary: 'a JSON file: texts by path', isPath: true }],
  },
  async ({ words }, { storefrontId, subject: language, base, authorship }, [file = ''], report) => {
    const unset = words.unset(storefrontId, language)
    const changes = Object.entries(await readObject(file)).map(([path, value]): TextChange => {
      if (typeof value !== 'string') throw new CommandError(`${file}: ${path} is not a text.`)
      // A text that was not translated or changed stays unset, so that it follows later versions of the service.
      return isSameText(language, value, unset[path]) ? { path } : { path, value }
    })
    const changed = await words.change(storefrontId, language, base, changes, authorship)
    const count = changes.filter(({ value }) => value === undefined).length
    if (count > 0) report({ text: `Texts of the file that need not be set: ${count}.` })
    return changed
  },
)

export const exportWordsCommand = reading(
  {
    name: 'words export',
    summary: 'Write the texts of a language to a file, to translate or keep them.',
    arguments: [{ name: 'file', summary: 'a JSON file to write', isPath: true }],
    options: [{ flags: '--set', summary: 'only texts that were set' }],
  },
  async ({ words }, { storefrontId, subject: language }, { arguments: [file = ''], options }, report) => {
    const { texts } = words.state(storefrontId, language)
    const written = options.set === true ? words.stored(storefrontId, language).set : textsByPath(texts)
    await writeTextFile(file, `${JSON.stringify(written, null, 2)}\n`)
    report({ text: `Wrote ${Object.keys(written).length} texts to ${file}.` })
  },
)

export const restoreWordsCommand = restoring(
  {
    name: 'words restore',
    summary: "Restore an earlier revision of a language's texts.",
  },
  'the texts included in the service',
)

export const undoWordsCommand = undoing({
  name: 'words undo',
  summary: "Undo the last change to a language's texts; repeat to undo earlier ones.",
})

export const diffWordsCommand = comparing({
  name: 'words diff',
  summary:
    'Show what differs between two revisions of the texts of a language; without arguments, everything that was set.',
})

export const wordsHistoryCommand = history({
  name: 'words history',
  summary: "Show the history of a language's texts: who changed what, when and why, newest last.",
})
