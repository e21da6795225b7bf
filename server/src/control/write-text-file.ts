import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { CommandError } from './commands.ts'

const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants

/** Mode of a file that only its owner reads. */
const PRIVATE = 0o600

/**
 * Writes a text to the file that an operator names, and replaces the file's content. Writes regular files only: a
 * FIFO may have no reader.
 *
 * @param options.isNew whether to refuse a file that has content already
 * @param options.isPrivate whether only the user of the service may read the file. Symbolic links are then refused.
 * @throws CommandError when the file is not a regular file, cannot be written, or must be new and has content
 */
export async function writeTextFile(
  path: string,
  text: string,
  { isNew = false, isPrivate = false } = {},
): Promise<void> {
  try {
    const flags = O_WRONLY | O_CREAT | O_NONBLOCK
    await using file = await (isPrivate ? open(path, flags | O_NOFOLLOW, PRIVATE) : open(path, flags))
    const found = await file.stat()
    if (!found.isFile()) throw new CommandError(`${path} is not a file.`)
    if (isNew && found.size > 0) throw new CommandError(`${path} exists. Give another name.`)
    // The mode of `open` applies to new files only.
    if (isPrivate) await file.chmod(PRIVATE)
    await file.truncate()
    await file.writeFile(text)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${path} cannot be written.`, { cause: error })
  }
}
