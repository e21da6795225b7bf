import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const COPIED = '-c:v libx264 -preset superfast -g 48 -sc_threshold 0 -c:a aac'.split(' ')
/**
 * Bit rates in kbit/s, by height of the picture. They are low enough for ingest to copy a stream without encoding.
 */
const COPIED_RATES: Record<number, number> = { 360: 500, 720: 2200 }
const ENCODED = '-c:v mpeg2video -b:v 8M -maxrate 12M -bufsize 4M -g 12 -c:a mp2'.split(' ')

/** A source film for ingest. */
export interface SourceFilm {
  path: string
  seconds: number
}

/**
 * Makes a film with audio, in the container that the file's extension names. The picture is noisy, so that
 * encoding takes work. With `fits`, the film is H.264 with a key frame every 2 s, and AAC, so ingest copies it.
 * Without `fits`, the film is MPEG-2, which ingest must encode.
 */
export async function makeSourceFilm(
  path: string,
  seconds: number,
  { lines, fits }: { lines: number; fits: boolean },
): Promise<SourceFilm> {
  const inputs = [
    `testsrc2=size=${(lines * 16) / 9}x${lines}:rate=24:duration=${seconds}`,
    `sine=frequency=220:sample_rate=48000:duration=${seconds}`,
  ].flatMap((input) => ['-f', 'lavfi', '-i', input])
  const filters = ['-vf', 'noise=alls=12:allf=t', '-pix_fmt', 'yuv420p', '-ac', '2', '-b:a', '128k']
  const rate = COPIED_RATES[lines] ?? 500
  const codecs = fits ? [...COPIED, ...limits(rate)] : ENCODED
  await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...inputs, ...filters, ...codecs, `file:${path}`])
  return { path, seconds }
}

function limits(kilobits: number): string[] {
  return `-b:v ${kilobits}k -maxrate ${Math.round(kilobits * 1.3)}k -bufsize ${kilobits * 2}k`.split(' ')
}
