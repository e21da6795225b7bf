import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Rendition, TrackSet } from '@ondine/media/track-set'
import { commandLine } from './command-line.ts'
import type { Published } from './ingest.ts'
import { packagerBinary } from './packager-binary.ts'

/** Real media for tests, made by ffmpeg, and inspection of the results. */

const run = promisify(execFile)

export async function temporaryFolder(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'ondine-ingest-'))
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) }
}

export async function ffmpeg(options: string[]): Promise<string> {
  const { stdout } = await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...options], { maxBuffer: 1e8 })
  return stdout
}

export interface PictureOptions {
  size?: string
  rate?: string | number
  seconds?: number
}

/** Returns ffmpeg's input options for a moving test picture. */
export function picture({ size = '320x180', rate = 25, seconds = 10 }: PictureOptions = {}): string[] {
  return commandLine`-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
}

/** Returns ffmpeg's input options for a tone. */
export function tone(seconds = 10, hertz = 440): string[] {
  return commandLine`-f lavfi -i sine=frequency=${hertz}:sample_rate=48000:duration=${seconds}`
}

/** Options for H.264 that `ingest` copies: key frames every 2 s at 25 frames per second. */
export const copyable = commandLine`-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -g 50 -sc_threshold 0`
/** Options for AAC that `ingest` copies. */
export const stereo = commandLine`-c:a aac -ac 2 -ar 48000`

/** Returns the duration of each segment of a rendition, in order, in seconds. */
export function segmentLengths({ segments, timescale }: Rendition): number[] {
  return segments.flatMap(([ticks, count]) => Array.from({ length: count }, () => ticks / timescale))
}

/** Joins a rendition into one decrypted file, as a player would. */
export async function assemble(published: Published, mediaRoot: string, id: string): Promise<string> {
  const { trackSet, key } = published
  const folder = join(mediaRoot, trackSet.id, id)
  const rendition = findRendition(trackSet, id)
  const names = ['init.mp4', ...segmentLengths(rendition).map((_, index) => `${index + 1}.m4s`)]
  const parts = await Promise.all(names.map(async (name) => await readFile(join(folder, name))))
  const encrypted = join(mediaRoot, `${trackSet.id}-${id}.mp4`)
  await writeFile(encrypted, Buffer.concat(parts))
  if (key === null || trackSet.encryption === null) return encrypted
  const clear = join(mediaRoot, `${trackSet.id}-${id}-clear.mp4`)
  await run(packagerBinary(process.platform, process.arch), [
    ...commandLine`in=${encrypted},stream=${rendition.kind},output=${clear} --enable_raw_key_decryption`,
    ...commandLine`--keys label=:key_id=${trackSet.encryption.keyId}:key=${key.toString('hex')}`,
  ])
  return clear
}

function findRendition(trackSet: TrackSet, id: string): Rendition {
  const rendition = trackSet.renditions.find((one) => one.id === id)
  if (rendition === undefined) throw new RangeError(`no rendition ${id}`)
  return rendition
}

/**
 * Returns the hashes of all packets of the file's first stream of a kind, in decoding order. The hashes ignore
 * times.
 */
export async function packetHashes(path: string, kind: 'v' | 'a'): Promise<string[]> {
  const report = await ffmpeg(commandLine`-i ${path} -map 0:${kind}:0 -c copy -f framemd5 -`)
  return hashes(report)
}

/** Returns the hash of every decoded frame of the file's first stream of a kind. */
export async function frameHashes(path: string, kind: 'v' | 'a'): Promise<string[]> {
  return hashes(await ffmpeg(commandLine`-i ${path} -map 0:${kind}:0 -fps_mode passthrough -f framemd5 -`))
}

function hashes(report: string): string[] {
  return report
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '')
}

/** Returns the mean brightness of every frame of a file, 0 to 255, in order. */
async function brightness(path: string): Promise<number[]> {
  const { stdout } = await run(
    'ffmpeg',
    commandLine`-nostdin -v error -i ${path} -map 0:v:0 -fps_mode passthrough -vf scale=1:1,format=gray -f rawvideo -`,
    { encoding: 'buffer', maxBuffer: 1e8 },
  )
  return [...stdout]
}

/** Returns the samples of a file's sound, mixed to one channel, at the sample rate of the file. */
export async function samples(path: string): Promise<Int16Array> {
  const { stdout } = await run(
    'ffmpeg',
    commandLine`-nostdin -v error -i ${path} -map 0:a:0 -ac 1 -f s16le -`,
    {
      encoding: 'buffer',
      maxBuffer: 1e8,
    },
  )
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length))
}

/** Returns entries that ffprobe reports about streams. */
export async function describeStreams(path: string, entries: string): Promise<Record<string, unknown>[]> {
  const { stdout } = await run(
    'ffprobe',
    commandLine`-v error -show_entries stream=${entries} -of json ${path}`,
  )
  const report: unknown = JSON.parse(stdout)
  if (typeof report === 'object' && report !== null && 'streams' in report && Array.isArray(report.streams)) {
    return report.streams
  }
  return []
}

/** Returns input options for a black picture with a white flash, and for silence with a beep at the same moment. */
export function flashAndBeep(atSeconds: number, seconds = 8, rate = 25): string[] {
  const during = `between(t\\,${atSeconds}\\,${atSeconds + 0.2})`
  return [
    ...commandLine`-f lavfi -i color=black:size=320x180:rate=${rate}:duration=${seconds},drawbox=color=white:t=fill:enable=${during}`,
    ...commandLine`-f lavfi -i aevalsrc=if(${during}\\,sin(2*PI*1000*t)\\,0):s=48000:d=${seconds}`,
  ]
}

/** Returns when the flash and the beep of {@link flashAndBeep} occur, in seconds, by counting frames and samples. */
export async function findFlashAndBeep(
  video: string,
  audio: string,
  rate = 25,
): Promise<{ flash: number; beep: number }> {
  const light = await brightness(video)
  const sound = await samples(audio)
  return {
    flash: light.findIndex((level) => level > 128) / rate,
    beep: sound.findIndex((level) => Math.abs(level) > 2000) / 48_000,
  }
}
