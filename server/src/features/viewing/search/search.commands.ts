import type { Command } from '../../../control/commands.ts'
import { rebuildIndex } from './search.repository.ts'

/** `search rebuild`: rebuilds the index. Without this command, triggers keep the index up to date. */
export const rebuildSearchCommand: Command = {
  name: 'search rebuild',
  summary: 'Rebuild the search index, after the database was changed by hand or restored.',
  arguments: [],
  run: async ({ db }, _input, { report }) => {
    report({ text: 'Reading titles, channels and programmes …' })
    const documents = await rebuildIndex(db)
    report({ text: `Documents in the index: ${documents}.` })
  },
}
