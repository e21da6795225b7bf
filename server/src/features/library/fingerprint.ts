import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FoundMedia } from './find-titles.ts'

const PIECE_BYTES = 64 * 1024

/**
 * Tells whether a video or what is cut into its TrackSet with it has changed since: size, time, and a hash of head and
 * tail of the video, and the same of its subtitles. Reads next to nothing of a large file.
 */
export async function fingerprint({
  path,
  subtitles,
}: Pick<FoundMedia, 'path' | 'subtitles'>): Promise<string> {
  const hash = createHash('sha256')
  hash.update(await describe(path))
  for (const { path, language, label, forced, captions } of subtitles) {
    hash.update(JSON.stringify([language, label, forced, captions]))
    hash.update(await describe(path))
  }
  return hash.digest('hex').slice(0, 40)
}

async function describe(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { size, mtimeMs } = await file.stat()
    const hash = createHash('sha256').update(`${size} ${Math.floor(mtimeMs)}`)
    for (const position of [0, Math.max(0, size - PIECE_BYTES)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, undefined, position)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest()
  } finally {
    await file.close()
  }
}
