import { type SegmentTimes, segmentTimes } from '@ondine/media/segment-times'
import { NO_TEXT } from '@ondine/media/span-segments'
import type { Rendition, TrackSet } from '@ondine/media/track-set'
import { clockRendition } from '@ondine/media/track-set-check'
import { wvttInit, wvttSegment } from '@ondine/media/wvtt'
import type { TrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'

/** A WebVTT file without cues. */
export const EMPTY_WEBVTT = 'WEBVTT\n\n'

/**
 * Returns subtitles in fragmented MP4, as DASH players need them (docs/decisions/0040). The store contains WebVTT
 * only, so each segment is converted on request. The conversion of a segment always gives the same bytes.
 *
 * @param file `init.mp4`, or `{n}.m4s` with n from 1
 * @param readWebVtt reads segment n of the rendition; undefined if there is no such file
 * @returns undefined for everything that is not a subtitle segment of a TrackSet
 */
export async function textSegment(
  trackSets: TrackSetStore,
  trackSetId: string,
  renditionId: string,
  file: string,
  readWebVtt: (number: number) => Promise<string | undefined>,
): Promise<Uint8Array | undefined> {
  const number = file === 'init.mp4' ? 0 : Number(/^([1-9]\d*)\.m4s$/.exec(file)?.[1])
  const partOf = (
    trackSet: TrackSet,
  ): { rendition: Rendition | undefined; times: SegmentTimes } | undefined => {
    const rendition = trackSet.renditions.find(({ id, kind }) => id === renditionId && kind === 'text')
    if (!rendition && renditionId !== NO_TEXT) return undefined
    const times = segmentTimes(rendition ?? clockRendition(trackSet))
    return number <= times.count ? { rendition, times } : undefined
  }
  const trackSet = await trackSets.getContaining(trackSetId, (known) => partOf(known) !== undefined)
  const part = trackSet && partOf(trackSet)
  if (!part) return undefined
  const { rendition, times } = part
  if (number === 0) return wvttInit(times.timescale)
  const webVtt = rendition ? await readWebVtt(number) : EMPTY_WEBVTT
  if (webVtt === undefined) return undefined
  const startTicks = times.startTicks(number - 1)
  const durationTicks = times.startTicks(number) - startTicks
  return wvttSegment(webVtt, { number, startTicks, durationTicks, timescale: times.timescale })
}
