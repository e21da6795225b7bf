import { writeFile } from 'node:fs/promises'
import { isLanguage, type Language } from '@ondine/contract/languages'
import type { Context } from '../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../control/commands.ts'
import {
  authorshipOf,
  CHANGE_OPTIONS,
  inWords,
  numberOf,
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

const LANGUAGE = { name: 'language', summary: 'three letters, such as fra' }

/** What a command about the words of a storefront in a language works on. */
interface Target {
  storefrontId: number
  language: Language
  base: number
  authorship: Authorship
}

/** Makes a command that shows something of the words. */
function readingCommand(
  command: Pick<Command, 'name' | 'summary' | 'arguments'> & { options?: Command['options'] },
  show: (context: Context, target: Target, input: CommandInput, report: Reporter) => Promise<void>,
): Command {
  return {
    ...command,
    arguments: [LANGUAGE, ...command.arguments],
    options: [STOREFRONT_OPTION, ...(command.options ?? [])],
    run: async (context, input, { report }) =>
      await inWords(async () => await show(context, targetOf(context, input), rest(input), report)),
  }
}

/** Makes a command that changes words, and says what has changed. */
function changingCommand(
  command: Pick<Command, 'name' | 'summary' | 'arguments'>,
  change: (context: Context, target: Target, args: string[]) => Promise<Changed>,
): Command {
  return {
    ...command,
    arguments: [LANGUAGE, ...command.arguments],
    options: CHANGE_OPTIONS,
    run: async (context, input, { report }) =>
      await inWords(async () => {
        const target = targetOf(context, input)
        const changed = await change(context, target, rest(input).arguments)
        reportChange(changed, `words undo ${target.language}`, report)
      }),
  }
}

/** `words get`. */
export const getWordsCommand = readingCommand(
  {
    name: 'words get',
    summary: 'Show the texts of a language, or those whose path or text holds something.',
    arguments: [{ name: 'part', summary: 'a part of a path or text, such as home.', optional: true }],
    options: [
      { flags: '--set', summary: 'only what was set' },
      { flags: '--missing', summary: 'only what another language has to give' },
    ],
  },
  async ({ words }, { storefrontId, language }, { arguments: [part = ''], options }, report) => {
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

/** `words set`. */
export const setWordsCommand = changingCommand(
  {
    name: 'words set',
    summary: 'Set a text.',
    arguments: [
      { name: 'path', summary: 'such as home.title' },
      { name: 'text', summary: 'with each {{name}} that the text is filled in with' },
    ],
  },
  async ({ words }, { storefrontId, language, base, authorship }, [path = '', value = '']) =>
    await words.change(storefrontId, language, base, [{ path, value }], authorship),
)

/** `words unset`. */
export const unsetWordsCommand = changingCommand(
  {
    name: 'words unset',
    summary: 'Give a text back what came with the service.',
    arguments: [{ name: 'path', summary: 'such as home.title' }],
  },
  async ({ words }, { storefrontId, language, base, authorship }, [path = '']) =>
    await words.change(storefrontId, language, base, [{ path }], authorship),
)

/** `words import`. */
export const importWordsCommand = changingCommand(
  {
    name: 'words import',
    summary:
      'Set the texts of a language from a file, such as `words export` writes; others keep what they are.',
    arguments: [{ name: 'file', summary: 'a JSON file: texts by path', isPath: true }],
  },
  async ({ words }, { storefrontId, language, base, authorship }, [file = '']) => {
    const texts = Object.entries(await readObject(file)).map(([path, value]) => {
      if (typeof value !== 'string') throw new CommandError(`${file}: ${path} is no text.`)
      return { path, value }
    })
    return await words.change(storefrontId, language, base, texts, authorship)
  },
)

/** `words export`. */
export const exportWordsCommand = readingCommand(
  {
    name: 'words export',
    summary: 'Write the texts of a language to a file, to translate them or to keep them.',
    arguments: [{ name: 'file', summary: 'a JSON file to write', isPath: true }],
    options: [{ flags: '--set', summary: 'only what was set' }],
  },
  async ({ words }, { storefrontId, language }, { arguments: [file = ''], options }, report) => {
    const { texts } = words.state(storefrontId, language)
    const all = Object.entries(texts).flatMap(([group, translations]) =>
      Object.entries(translations).map(([name, text]) => [`${group}.${name}`, text] as const),
    )
    const written = options.set === true ? words.stored(storefrontId, language).set : Object.fromEntries(all)
    await writeFile(file, `${JSON.stringify(written, null, 2)}\n`)
    report({ text: `Wrote ${Object.keys(written).length} texts to ${file}.` })
  },
)

/** `words restore`. */
export const restoreWordsCommand = changingCommand(
  {
    name: 'words restore',
    summary: 'Make an earlier revision of the texts of a language the newest again.',
    arguments: [{ name: 'revision', summary: 'its number; 0 for what came with the service' }],
  },
  async ({ words }, { storefrontId, language, base, authorship }, [revision = '']) =>
    await words.restore(storefrontId, language, base, numberOf(revision), authorship),
)

/** `words undo`. */
export const undoWordsCommand = changingCommand(
  {
    name: 'words undo',
    summary: 'Take the last change of the texts of a language back; again, the one before it.',
    arguments: [],
  },
  async ({ words }, { storefrontId, language, base, authorship }) =>
    await words.undo(storefrontId, language, base, authorship),
)

/** `words diff`. */
export const diffWordsCommand = readingCommand(
  {
    name: 'words diff',
    summary: 'Show what differs between two revisions of the texts of a language; without any, what was set.',
    arguments: [
      { name: 'from', summary: 'a revision; 0 by default', optional: true },
      { name: 'to', summary: 'a revision; the newest by default', optional: true },
    ],
  },
  async ({ words }, { storefrontId, language, base }, { arguments: [from = '0', to] }, report) => {
    const until = to === undefined ? base : numberOf(to)
    reportDifferences(await words.diff(storefrontId, language, numberOf(from), until), report)
  },
)

/** `words history`. */
export const wordsHistoryCommand = readingCommand(
  {
    name: 'words history',
    summary: 'Show who changed the texts of a language, when, why and what, the newest last.',
    arguments: [{ name: 'count', summary: 'how many changes; 20 by default', optional: true }],
  },
  async ({ words }, { storefrontId, language }, { arguments: [count = '20'] }, report) => {
    const page = { before: Number.MAX_SAFE_INTEGER, count: Math.min(numberOf(count), 1000) }
    reportHistory(await words.history(storefrontId, language, page), report)
  },
)

function targetOf(context: Context, input: CommandInput): Target {
  const { id } = storefrontOf(context, input)
  const [language = ''] = input.arguments
  if (!isLanguage(language))
    throw new CommandError(`${language} is no language: give three letters, such as fra, eng, ara.`)
  return {
    storefrontId: id,
    language,
    base: context.words.stored(id, language).revision,
    authorship: authorshipOf(input),
  }
}

/** What was typed after the language. */
function rest({ arguments: [, ...others], options }: CommandInput): CommandInput {
  return { arguments: others, options }
}
