import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { isErrno } from '../is-errno.ts'
import { CommandError } from './commands.ts'

/** Largest text that a command reads whole, in bytes. */
const LARGEST = 20_000_000

/**
 * Returns the text of a file that an operator names. Reads regular files only: a FIFO or a device may never end.
 *
 * @param first read at most this many bytes from the beginning
 * @throws CommandError when the file is not a regular file, cannot be read, or is too large
 */
export async function readTextFile(
  path: string,
  { largest = LARGEST, first }: { largest?: number; first?: number } = {},
): Promise<string> {
  try {
    // `O_NONBLOCK`: without it, opening a FIFO would wait for its writer.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = await file.stat()
    if (!found.isFile()) throw new CommandError(`${path} is not a file.`)
    if (first === undefined && found.size > largest)
      throw new CommandError(`${path} is larger than ${largest} bytes.`)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(found.size, first ?? largest)), 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason = isErrno(error, 'ENOENT') ? `There is no file ${path}.` : `${path} cannot be read.`
    throw new CommandError(reason, { cause: error })
  }
}
