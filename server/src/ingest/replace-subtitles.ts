import { randomBytes } from 'node:crypto'
import type { TrackSet } from '@ondine/media/track-set'
import type { SegmentStore } from '../segments/segment-store.ts'
import type { IngestOptions } from './ingest.ts'
import { probe } from './probe.ts'
import { publish } from './publish.ts'
import { IngestError } from './reasons.ts'
import { makeTextRenditions, type SubtitleFile, type SubtitleNote } from './text-renditions.ts'
import { makeWorkspace, removeWorkspace } from './workspace.ts'

export interface SubtitleReplacement {
  /** Absolute path of the source file of `previous`. */
  path: string
  segments: SegmentStore
  previous: TrackSet
  subtitles: readonly SubtitleFile[]
}

/**
 * Makes a TrackSet with the picture, sound, thumbnails and key of `previous`, but with other subtitles. Nothing is
 * encoded again, so the call takes seconds. Each of the two TrackSets can be removed without the other.
 *
 * @throws {IngestError}
 */
export async function replaceSubtitles(
  { path, segments, previous, subtitles }: SubtitleReplacement,
  { signal, onProgress, ...options }: IngestOptions,
): Promise<{ trackSet: TrackSet; notes: SubtitleNote[] }> {
  signal.throwIfAborted()
  const report = (stage: 'probing' | 'packaging' | 'publishing', percent: number): void =>
    onProgress?.({ stage, percent, secondsLeft: null })
  report('probing', 0)
  const source = await probe(path, signal)
  const media = previous.renditions.filter((rendition) => rendition.kind !== 'text')
  const video = media.find((rendition) => rendition.kind === 'video')
  if (video === undefined) throw new IngestError('packagingFailed', 'There is no picture.')

  const id = randomBytes(16).toString('hex')
  const workspace = await makeWorkspace(segments.workFolder, id)
  try {
    report('packaging', 50)
    const { renditions, notes } = await makeTextRenditions(workspace, source, subtitles, video, signal)
    report('publishing', 98)
    const trackSet: TrackSet = { ...previous, id, renditions: [...media, ...renditions] }
    const kept = [...media.map((rendition) => rendition.id), ...(previous.thumbnails ? ['thumbnails'] : [])]
    await publish(workspace, segments, trackSet, {
      ...options,
      signal,
      onProgress: () => report('publishing', 98),
      reused: { trackSet: previous.id, renditions: kept },
    })
    report('publishing', 100)
    return { trackSet, notes }
  } finally {
    await removeWorkspace(workspace)
  }
}
