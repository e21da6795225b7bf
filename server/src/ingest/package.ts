import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { psshBoxes } from '@ondine/media/pssh'
import type { AudioRendition, VideoRendition } from '@ondine/media/track-set'
import { isErrno } from '../is-errno.ts'
import { readCodec, readSegmentTiming, readTimescale, type SegmentTiming } from './boxes.ts'
import { perSecond } from './frame-rate.ts'
import { packagerBinary } from './packager-binary.ts'
import type { Plan } from './plan.ts'
import { IngestError } from './reasons.ts'
import { programReason, runProgram } from './run-program.ts'
import type { Workspace } from './workspace.ts'

/** A key of Common Encryption. */
export interface MediaKey {
  /** 16 bytes. */
  keyId: Buffer
  /** 16 bytes. */
  key: Buffer
  /** Constant initialisation vector of all renditions, 16 bytes. */
  iv: Buffer
}

/**
 * Cuts the intermediates of `encode` into segments, encrypts them, and reads the properties of the renditions from
 * the resulting files.
 */
export async function packageRenditions(
  workspace: Workspace,
  plan: Plan,
  encryption: MediaKey | null,
  signal: AbortSignal,
): Promise<(VideoRendition | AudioRendition)[]> {
  const streams = [
    ...plan.pictures.map(({ id }) => descriptor(id, 'video')),
    ...plan.sounds.map(({ id }) => descriptor(id, 'audio')),
  ]
  for (const { id } of [...plan.pictures, ...plan.sounds]) {
    await mkdir(join(workspace.set, id), { recursive: true })
  }
  // Passes the key in a file that only the owner may read, because every user of the machine can see command
  // lines.
  const flags = join(workspace.work, 'packager.flags')
  await writeFile(flags, packagerFlags(plan, encryption), { mode: 0o600 })
  try {
    await runProgram({
      program: packagerBinary(process.platform, process.arch),
      arguments: [...streams, '--flagfile=work/packager.flags'],
      folder: workspace.folder,
      signal,
      limits: { wallSeconds: Math.max(600, plan.durationSeconds), memoryBytes: 4e9, outputBytes: 10e6 },
    })
  } catch (error) {
    throw programReason(error, 'packagingFailed')
  } finally {
    await rm(flags, { force: true })
  }

  const renditions: (VideoRendition | AudioRendition)[] = []
  for (const { id, width, height } of plan.pictures) {
    const read = await readRendition(join(workspace.set, id))
    renditions.push({ kind: 'video', id, width, height, frameRate: perSecond(plan.frameRate), ...read })
  }
  for (const { id, language, label, channels, sampleRate, isDefault, addition } of plan.sounds) {
    const read = await readRendition(join(workspace.set, id))
    const described = { language, label, channels, sampleRate, isDefault, ...(addition && { addition }) }
    renditions.push({ kind: 'audio', id, ...described, ...read })
  }
  return renditions
}

/**
 * Returns the packager's descriptor of a stream. Commas and equals signs separate its fields. The file names come
 * from this module and are relative to the workspace, so that no folder's name can add a field.
 */
function descriptor(id: string, stream: 'video' | 'audio'): string {
  return `in=work/${id}.mp4,stream=${stream},init_segment=set/${id}/init.mp4,segment_template=set/${id}/$Number$.m4s`
}

function packagerFlags(plan: Plan, encryption: MediaKey | null): string {
  const flags = [`--segment_duration=${plan.segmentSeconds}`]
  if (encryption !== null) {
    const { common, widevine, fairPlay } = psshBoxes(encryption.keyId.toString('hex'))
    flags.push(
      '--enable_raw_key_encryption',
      `--keys=label=:key_id=${encryption.keyId.toString('hex')}:key=${encryption.key.toString('hex')}`,
      '--protection_scheme=cbcs',
      '--clear_lead=0',
      // By default each rendition has its own vector, but a FairPlay licence has only one vector for its key.
      `--iv=${encryption.iv.toString('hex')}`,
      `--pssh=${Buffer.concat([common, widevine, fairPlay]).toString('hex')}`,
    )
  }
  return `${flags.join('\n')}\n`
}

type ReadBack = Pick<VideoRendition, 'timescale' | 'segments' | 'codec' | 'bandwidth' | 'averageBandwidth'>

/** Reads the properties of a rendition from its files. */
async function readRendition(folder: string): Promise<ReadBack> {
  const init = await readFile(join(folder, 'init.mp4'))
  const timescale = readTimescale(init)
  const segments: [ticks: number, count: number][] = []
  let ticks = 0
  let bytes = 0
  let bandwidth = 0
  for (let number = 1; ; number++) {
    const segment = await readSegment(join(folder, `${number}.m4s`))
    if (segment === undefined) break
    if (segment.decodeTime !== ticks) {
      throw new IngestError(
        'packagingFailed',
        `Segment ${number} begins at ${segment.decodeTime}, not ${ticks}.`,
      )
    }
    ticks += segment.duration
    bytes += segment.bytes
    bandwidth = Math.max(bandwidth, Math.ceil((segment.bytes * 8 * timescale) / segment.duration))
    const run = segments.at(-1)
    if (run?.[0] === segment.duration) run[1] += 1
    else segments.push([segment.duration, 1])
  }
  if (ticks === 0) throw new IngestError('packagingFailed', 'It made no segments.')
  return {
    timescale,
    segments,
    codec: readCodec(init),
    bandwidth,
    averageBandwidth: Math.ceil((bytes * 8 * timescale) / ticks),
  }
}

/** Bytes at the beginning of a segment that usually contain all boxes before the media data. */
const HEAD_BYTES = 64 * 1024

/** Returns the times and size of a segment; undefined when the file does not exist. */
async function readSegment(path: string): Promise<(SegmentTiming & { bytes: number }) | undefined> {
  const file = await open(path).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, HEAD_BYTES)), 0)
    const head = buffer.subarray(0, bytesRead)
    // The packager writes one fragment per segment, so all times are before the first `mdat`.
    const times = head.includes('mdat') ? readSegmentTiming(head) : readSegmentTiming(await readFile(path))
    return { ...times, bytes: size }
  } finally {
    await file.close()
  }
}
