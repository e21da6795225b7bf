import { type Command, CommandError } from '../../../control/commands.ts'
import { moveLibrary, withdrawLibrary } from './libraries.service.ts'
import { LibraryError } from './library.service.ts'

/** `libraries withdraw <folder>`: withdraws all titles of a library. */
export const withdrawLibraryCommand: Command = {
  name: 'libraries withdraw',
  summary: 'Withdraw all titles that were imported from a folder, for instance when a contract has ended.',
  arguments: [{ name: 'folder', summary: 'the folder, which need not exist any more', isPath: true }],
  run: async (context, { arguments: [folder = ''] }, { report }) => {
    const withdrawn = await explained(async () => await withdrawLibrary(context, folder))
    report({ text: `${withdrawn} titles withdrawn. An import of the folder brings back those with files.` })
  },
}

/** `libraries move <from> <to>`: changes the folder of a library. */
export const moveLibraryCommand: Command = {
  name: 'libraries move',
  summary: 'Tell the service that the files of a library are in another folder now, so that its titles stay.',
  arguments: [
    { name: 'from', summary: 'the folder that was imported', isPath: true },
    { name: 'to', summary: 'the folder with its files now', isPath: true },
  ],
  run: async (context, { arguments: [from = '', to = ''] }, { report }) => {
    const titles = await explained(async () => await moveLibrary(context, from, to))
    report({ text: `${titles} titles moved. Import ${to} now.` })
  },
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof LibraryError ? new CommandError(error.message) : error
  }
}
