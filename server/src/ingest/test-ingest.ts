import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SEGMENT_SECONDS, type VideoRendition } from '@ondine/media/track-set'
import { afterAll, beforeAll, expect } from 'vitest'
import { folderSegments } from '../segments/folder-segments.ts'
import { ingest, type Published } from './ingest.ts'
import { IngestError, type Reason } from './reasons.ts'
import { segmentLengths, temporaryFolder } from './test-media.ts'
import type { SubtitleFile } from './text-renditions.ts'

/** A folder for sources and a media root, for the tests in one file. */
export interface Workbench {
  /** Returns a path for a source. */
  file(name: string): string
  mediaRoot: string
  /** Ingests a source, and checks the properties that every published TrackSet has. */
  take(path: string, options?: { encrypted?: boolean; subtitles?: SubtitleFile[] }): Promise<Published>
  /**
   * Returns the reason why a source is refused, after checking that no files were left behind; `taken` if it is
   * accepted.
   */
  reasonOf(path: string): Promise<Reason | 'taken'>
}

/** Sets up a workbench. Call it once at the top of a test file. */
export function useWorkbench(): Workbench {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    temporary = await temporaryFolder()
  })
  afterAll(async () => await temporary[Symbol.asyncDispose]())
  const take: Workbench['take'] = async (path, { encrypted = false, subtitles = [] } = {}) => {
    const { mediaRoot } = workbench
    const request = { path, segments: folderSegments(mediaRoot), encrypted, subtitles }
    const published = await ingest(request, { signal: new AbortController().signal })
    await checkPublished(published, mediaRoot)
    return published
  }
  const workbench: Workbench = {
    file: (name) => join(temporary.path, name),
    get mediaRoot() {
      return join(temporary.path, 'media')
    },
    take,
    reasonOf: async (path) => {
      const before = await visible(workbench.mediaRoot)
      try {
        await take(path)
        return 'taken'
      } catch (error) {
        if (!(error instanceof IngestError)) throw error
        expect(await visible(workbench.mediaRoot)).toEqual(before)
        return error.reason
      }
    },
  }
  return workbench
}

async function visible(mediaRoot: string): Promise<string[]> {
  const names = await readdir(mediaRoot).catch(() => [])
  return names.filter((name) => name !== '.making')
}

/** Checks the properties that every published TrackSet has. */
export async function checkPublished(
  { trackSet, durationSeconds }: Published,
  mediaRoot: string,
): Promise<void> {
  const home = join(mediaRoot, trackSet.id)
  expect(JSON.parse(await readFile(join(home, 'track-set.json'), 'utf8'))).toEqual(trackSet)
  expect(await readdir(join(mediaRoot, '.making'))).toEqual([])
  expect(new Set(trackSet.renditions.map(({ id }) => id)).size).toBe(trackSet.renditions.length)

  const videos = videosOf({ trackSet })
  const lengths = videoLengths({ trackSet })
  for (const rendition of trackSet.renditions) {
    const extension = rendition.kind === 'text' ? 'vtt' : 'm4s'
    const expected = lengths.map((_, index) => `${index + 1}.${extension}`)
    if (rendition.kind !== 'text') expected.push('init.mp4')
    expect((await readdir(join(home, rendition.id))).sort()).toEqual(expected.sort())
    if (rendition.kind !== 'audio') expect(segmentLengths(rendition)).toEqual(lengths)
  }
  expect(sum(lengths)).toBeCloseTo(durationSeconds, 6)
  for (const { frameRate } of videos) {
    const exact = Math.round(SEGMENT_SECONDS * frameRate) / frameRate
    for (const length of lengths.slice(0, -1)) expect(length).toBeCloseTo(exact, 9)
  }
  const sounds = trackSet.renditions.filter((rendition) => rendition.kind === 'audio')
  expect(sounds.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  for (const sound of sounds) {
    expect(Math.abs(sum(segmentLengths(sound)) - durationSeconds)).toBeLessThan(0.03)
  }
  const { columns, rows, count } = trackSet.thumbnails ?? { columns: 1, rows: 1, count: 0 }
  expect(count).toBeGreaterThan(0)
  expect(await readdir(join(home, 'thumbnails'))).toHaveLength(Math.ceil(count / (columns * rows)))
}

export function videosOf({ trackSet }: Pick<Published, 'trackSet'>): VideoRendition[] {
  return trackSet.renditions.filter((rendition) => rendition.kind === 'video')
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Returns the duration of each segment of the first video rendition, in seconds. */
export function videoLengths(published: Pick<Published, 'trackSet'>): number[] {
  const [video] = videosOf(published)
  return video === undefined ? [] : segmentLengths(video)
}
