import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { FoundMedia } from './find-titles.ts'

const PIECE_BYTES = 64 * 1024

/**
 * Computes a fingerprint that shows whether a video or its subtitle files have changed. The fingerprint covers the
 * size, the modification time, and a hash of the beginning and end of each file, so that large files are not read
 * completely. It has two parts, `video.subtitles`, because new subtitles do not require another encoding of the
 * video.
 */
export async function fingerprint({
  path,
  subtitles,
}: Pick<FoundMedia, 'path' | 'subtitles'>): Promise<string> {
  const video = await videoFingerprint(path)
  const hash = createHash('sha256')
  for (const { path, language, variant, label, forced, captions } of subtitles) {
    hash.update(
      JSON.stringify([language, label, forced, captions, ...(variant === undefined ? [] : [variant])]),
    )
    hash.update(await describe(path))
  }
  return `${video}.${hash.digest('hex').slice(0, 32)}`
}

/** Computes the video part of a fingerprint. */
export async function videoFingerprint(path: string): Promise<string> {
  return (await describe(path)).toString('hex').slice(0, 32)
}

/** Returns the video part of a fingerprint. */
export function videoPart(fingerprint: string): string {
  return fingerprint.split('.')[0] ?? fingerprint
}

/** Returns whether two fingerprints have the same video part. The subtitle parts may differ. */
export function isSameVideo(a: string, b: string): boolean {
  return videoPart(a) === videoPart(b)
}

/** Returns why a file cannot be read; undefined if it can. */
export async function readFault(path: string): Promise<string | undefined> {
  try {
    await describe(path)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
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
