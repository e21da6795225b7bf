import { isLanguage } from '@ondine/contract/languages'
import { type Command, CommandError, type CommandInput } from '../../../control/commands.ts'
import {
  type CategoryChange,
  CategoryError,
  listCategories,
  putCategoryInTree,
  removeCategory,
} from './categories.service.ts'

export const listCategoriesCommand: Command = {
  name: 'categories list',
  summary: 'Show the tree of categories: key, name and position among its siblings.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { key, names, position, depth } of await listCategories(context)) {
      const name = Object.entries(names).map(([language, text]) => `${language}: ${text}`)
      report({ text: `${'  '.repeat(depth)}${key} (${name.join(', ')}; ${position})` })
    }
  },
}

/** `categories put`: sets the name, the parent and the position of a category. Imports do not change them again. */
export const putCategoryCommand: Command = {
  name: 'categories put',
  summary: 'Create a category, or change its name and its place in the tree; imports do not move it.',
  arguments: [{ name: 'key', summary: 'a key that `categories list` shows, or a new one' }],
  options: [
    { flags: '--name <name>', summary: 'name that viewers read; required for a new category' },
    { flags: '--language <code>', summary: 'language of the name', default: 'fra' },
    { flags: '--under <key>', summary: 'key of its parent category' },
    { flags: '--top', summary: 'put it at the top of the tree' },
    { flags: '--position <number>', summary: 'its position among its siblings, the smallest first' },
  ],
  run: async (context, { arguments: [key = ''], options }, { report }) => {
    await refusing(async () => await putCategoryInTree(context, key, changeOf(options)))
    report({ text: `Put ${key}.` })
  },
}

export const removeCategoryCommand: Command = {
  name: 'categories remove',
  summary: 'Remove an empty category; imports create their own again when they have titles for them.',
  arguments: [{ name: 'key', summary: 'a key that `categories list` shows' }],
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
