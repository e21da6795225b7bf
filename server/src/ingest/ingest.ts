import { randomBytes } from 'node:crypto'
import type { TrackSet, VideoRendition } from '@ondine/media/track-set'
import type { SegmentStore } from '../segments/segment-store.ts'
import { encode } from './encode.ts'
import { packageRenditions } from './package.ts'
import { plan } from './plan.ts'
import { type Chapter, probe } from './probe.ts'
import { type FullStoreOptions, publish } from './publish.ts'
import { IngestError } from './reasons.ts'
import { makeTextRenditions, type SubtitleFile, type SubtitleNote } from './text-renditions.ts'
import { makeThumbnails } from './thumbnails.ts'
import { makeWorkspace, removeWorkspace } from './workspace.ts'

export interface IngestRequest {
  /** Absolute path of the source. */
  path: string
  /** Store that receives the TrackSet. */
  segments: SegmentStore
  /** Whether to encrypt. Clear media is for trailers and free channels. */
  encrypted: boolean
  subtitles: readonly SubtitleFile[]
  /** Nominal duration of segments, in seconds. Default: the duration for films. */
  segmentSeconds?: number
}

/** Progress of an ingest. */
export interface IngestProgress {
  stage: 'probing' | 'encoding' | 'packaging' | 'publishing'
  /** 0 to 100, never decreasing. */
  percent: number
  /** Null while unknown. */
  secondsLeft: number | null
}

/** The result of an ingest. */
export interface Published {
  trackSet: TrackSet
  /** 16 bytes; null for clear media. No file contains the key, so the caller must store it. */
  key: Buffer | null
  /** Duration of the picture in the source, in seconds. */
  sourceDurationSeconds: number
  /** Duration of the published media in seconds, a whole number of frames. */
  durationSeconds: number
  chapters: Chapter[]
  /** Reason why the source's picture was encoded instead of copied; null when it was copied. */
  copyObstacle: string | null
  /** Notes on subtitles that were skipped, as a whole or in part. */
  notes: SubtitleNote[]
}

export interface IngestOptions extends FullStoreOptions {
  signal: AbortSignal
  onProgress?: (progress: IngestProgress) => void
}

/** Percentages of the total progress at which the stages start. */
const STAGES = { probing: 0, encoding: 2, packaging: 90, publishing: 98 } as const

/**
 * Makes a TrackSet from a source file and publishes it, as a whole or not at all. When `signal` aborts, kills the
 * programs, removes unfinished files and throws the signal's reason.
 *
 * @throws {IngestError} when the file cannot be ingested.
 */
export async function ingest(
  request: IngestRequest,
  { signal, onProgress, ...options }: IngestOptions,
): Promise<Published> {
  signal.throwIfAborted()
  const report = (stage: IngestProgress['stage'], percent: number, secondsLeft: number | null): void =>
    onProgress?.({ stage, percent, secondsLeft })

  report('probing', STAGES.probing, null)
  const source = await probe(request.path, signal)
  const planned = plan(source, request.segmentSeconds)

  const id = randomBytes(16).toString('hex')
  const encryption = request.encrypted
    ? { keyId: randomBytes(16), key: randomBytes(16), iv: randomBytes(16) }
    : null
  const workspace = await makeWorkspace(request.segments.workFolder, id)
  try {
    report('encoding', STAGES.encoding, null)
    await encode({
      source,
      plan: planned,
      folder: workspace.work,
      signal,
      onProgress: ({ done, secondsLeft }) =>
        report('encoding', STAGES.encoding + done * (STAGES.packaging - STAGES.encoding), secondsLeft),
    })
    report('packaging', STAGES.packaging, null)
    const media = await packageRenditions(workspace, planned, encryption, signal)
    const video = media.find((rendition): rendition is VideoRendition => rendition.kind === 'video')
    if (video === undefined) throw new IngestError('packagingFailed', 'There is no picture.')
    const thumbnails = await makeThumbnails(workspace, planned, signal)
    const { renditions: texts, notes } = await makeTextRenditions(
      workspace,
      source,
      request.subtitles,
      video,
      signal,
    )

    report('publishing', STAGES.publishing, null)
    const trackSet: TrackSet = {
      id,
      encryption: encryption && {
        keyId: encryption.keyId.toString('hex'),
        iv: encryption.iv.toString('hex'),
      },
      renditions: [...media, ...texts],
      thumbnails,
    }
    const onPublished = (): void => report('publishing', STAGES.publishing, null)
    await publish(workspace, request.segments, trackSet, { ...options, signal, onProgress: onPublished })
    report('publishing', 100, 0)
    return {
      trackSet,
      key: encryption?.key ?? null,
      sourceDurationSeconds: source.durationSeconds,
      durationSeconds: planned.durationSeconds,
      chapters: source.chapters,
      copyObstacle: planned.obstacle,
      notes,
    }
  } finally {
    await removeWorkspace(workspace)
  }
}
