import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { CommandError } from './commands.ts'

const { O_WRONLY, O_CREAT, O_NONBLOCK } = constants

/**
 * Writes a text to the file that an operator names, and replaces the file's content. Writes regular files only: a
 * FIFO may have no reader.
 *
 * @param options.isNew whether to refuse a file that has content already
 * @throws CommandError when the file is not a regular file, cannot be written, or must be new and has content
 */
export async function writeTextFile(path: string, text: string, { isNew = false } = {}): Promise<void> {
  try {
    await using file = await open(path, O_WRONLY | O_CREAT | O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) throw new CommandError(`${path} is not a file.`)
    if (isNew && found.size > 0) throw new CommandError(`${path} exists. Give another name.`)
    await file.truncate()
    await file.writeFile(text)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be written.`, { cause: error })
  }
}
