import { type Command, CommandError } from '../../../control/commands.ts'
import { listWithdrawn, removeTitle, TitleError } from './titles.service.ts'

/** `titles list`: shows the titles that imports have withdrawn. */
export const listTitlesCommand: Command = {
  name: 'titles list',
  summary: 'Show the titles that were withdrawn because their files are gone.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { id, title, key } of await listWithdrawn(context)) report({ text: `${id} ${title} (${key})` })
  },
}

/** `titles remove <id>`: removes a withdrawn title. */
export const removeTitleCommand: Command = {
  name: 'titles remove',
  summary:
    'Permanently remove a withdrawn title, its media and everything that viewers have stored about it.',
  arguments: [{ name: 'id', summary: 'its number, as `titles list` shows it' }],
  run: async (context, { arguments: [id = ''] }, { report }) => {
    if (!/^[1-9]\d{0,8}$/.test(id)) throw new CommandError(`${id} is not the number of a title.`)
    try {
      const title = await removeTitle(context, Number(id))
      report({
        text: `Removed ${title}. Its media is deleted a day after no channel has it in its schedule any more.`,
      })
    } catch (error) {
      throw error instanceof TitleError ? new CommandError(error.message) : error
    }
  },
}
