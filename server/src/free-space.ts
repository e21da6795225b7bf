import { statfs } from 'node:fs/promises'

/**
 * Free space in bytes below which importing films is hardly possible. Work that can wait, such as making the copies of
 * recordings, leaves this much free for imports and live inputs.
 */
export const ENOUGH_BYTES = 5 * 1024 ** 3

/** Returns the free bytes on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
