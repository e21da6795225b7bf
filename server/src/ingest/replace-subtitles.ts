import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TrackSet } from '@ondine/media/track-set'
import type { IngestOptions } from './ingest.ts'
import { probe } from './probe.ts'
import { publish } from './publish.ts'
import { IngestError } from './reasons.ts'
import { makeTextRenditions, type SubtitleFile, type SubtitleNote } from './text-renditions.ts'
import { makeWorkspace, removeWorkspace, type Workspace } from './workspace.ts'

export interface SubtitleReplacement {
  /** Absolute path of the source of `previous`. */
  path: string
  mediaRoot: string
  previous: TrackSet
  subtitles: readonly SubtitleFile[]
}

/**
 * Makes a TrackSet with the picture, sound, thumbnails and key of `previous`, and other subtitles. This takes
 * seconds, because nothing is encoded again. The media files of the new TrackSet are hard links, so that
 * either TrackSet can be removed without the other.
 *
 * @throws {IngestError}
 */
export async function replaceSubtitles(
  { path, mediaRoot, previous, subtitles }: SubtitleReplacement,
  { signal, onProgress }: IngestOptions,
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
  const workspace = await makeWorkspace(mediaRoot, id)
  try {
    report('packaging', 50)
    const folders = [
      ...media.map((rendition) => rendition.id),
      ...(previous.thumbnails ? ['thumbnails'] : []),
    ]
    for (const name of folders) await linkFolder(join(mediaRoot, previous.id), workspace, name, signal)
    const { renditions, notes } = await makeTextRenditions(workspace, source, subtitles, video, signal)
    report('publishing', 98)
    const trackSet: TrackSet = { ...previous, id, renditions: [...media, ...renditions] }
    await publish(workspace, mediaRoot, trackSet, signal)
    report('publishing', 100)
    return { trackSet, notes }
  } finally {
    await removeWorkspace(workspace)
  }
}

async function linkFolder(
  from: string,
  { set }: Workspace,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(join(set, name))
  for (const file of await readdir(join(from, name))) {
    signal.throwIfAborted()
    await link(join(from, name, file), join(set, name, file))
  }
}
