import { isLanguage } from '@ondine/contract/languages'
import { type Command, CommandError, type CommandInput } from '../../control/commands.ts'
import {
  type CategoryChange,
  CategoryError,
  listCategories,
  putCategoryInTree,
  removeCategory,
} from './categories.service.ts'

/** `categories list`. */
export const listCategoriesCommand: Command = {
  name: 'categories list',
  summary: 'Show the tree of categories: key, name, place among its siblings.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { key, names, position, depth } of await listCategories(context)) {
      const name = Object.entries(names).map(([language, text]) => `${language}: ${text}`)
      report({ text: `${'  '.repeat(depth)}${key} (${name.join(', ')}; ${position})` })
    }
  },
}

/** `categories put`: what an operator says of a category, imports leave alone. */
export const putCategoryCommand: Command = {
  name: 'categories put',
  summary: 'Make a category, or change its name and its place in the tree; imports leave it there.',
  arguments: [{ name: 'key', summary: 'as `categories list` shows it, or a new one' }],
  options: [
    { flags: '--name <name>', summary: 'what viewers read; a new category needs one' },
    { flags: '--language <code>', summary: 'language of the name', default: 'fra' },
    { flags: '--under <key>', summary: 'the category that it goes into' },
    { flags: '--top', summary: 'it stands at the top of the tree' },
    { flags: '--position <number>', summary: 'its place among its siblings: the smallest first' },
  ],
  run: async (context, { arguments: [key = ''], options }, { report }) => {
    await refusing(async () => await putCategoryInTree(context, key, changeOf(options)))
    report({ text: `Put ${key}.` })
  },
}

/** `categories remove`. */
export const removeCategoryCommand: Command = {
  name: 'categories remove',
  summary: 'Remove an empty category; an import makes its own again when it has something for them.',
  arguments: [{ name: 'key', summary: 'as `categories list` shows it' }],
  run: async (context, { arguments: [key = ''] }, { report }) => {
    await refusing(async () => await removeCategory(context, key))
    report({ text: `Removed ${key}.` })
  },
}

function changeOf({ name, language = 'fra', under, top, position }: CommandInput['options']): CategoryChange {
  if (typeof language !== 'string' || !isLanguage(language))
    throw new CommandError('--language is a code of three letters, such as fra.')
  if (typeof under === 'string' && top === true)
    throw new CommandError('--under and --top contradict each other.')
  if (typeof position === 'string' && !/^\d{1,6}$/.test(position))
    throw new CommandError('--position is a whole number from 0 on.')
  if (typeof name === 'string' && name.trim() === '') throw new CommandError('--name is empty.')
  return {
    ...(typeof name === 'string' && { name: { language, text: name.trim() } }),
    ...(typeof under === 'string' && { under }),
    ...(top === true && { under: null }),
    ...(typeof position === 'string' && { position: Number(position) }),
  }
}

async function refusing(change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    throw error instanceof CategoryError ? new CommandError(error.message) : error
  }
}
