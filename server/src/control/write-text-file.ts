import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { CommandError } from './commands.ts'

const { O_WRONLY, O_CREAT, O_NONBLOCK } = constants

/**
 * Writes a text to the file that an operator names, and replaces the file's content. Writes regular files only: a
 * FIFO may have no reader.
 *
 * @throws CommandError when the file is not a regular file, or cannot be written
 */
export async function writeTextFile(path: string, text: string): Promise<void> {
  try {
    await using file = await open(path, O_WRONLY | O_CREAT | O_NONBLOCK)
    if (!(await file.stat()).isFile()) throw new CommandError(`${path} is not a file.`)
    await file.truncate()
    await file.writeFile(text)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be written.`, { cause: error })
  }
}
