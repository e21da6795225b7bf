import { growChannelLayout, type Layout, layoutOfChannel, mapOnto } from '@ondine/media/layout'
import { segmentTimes } from '@ondine/media/segment-times'
import { spanMilliseconds } from '@ondine/media/timeline'
import { TimelineError } from '@ondine/media/timeline-error'
import { SEGMENT_SECONDS, type TrackSet } from '@ondine/media/track-set'
import { clockRendition } from '@ondine/media/track-set-check'
import type { ResolvedRow } from './schedule.repository.ts'
import type { ScheduledMedia } from './schedule.ts'

/**
 * Returns the layout of a channel whose schedule continues at `from`, in milliseconds since the Unix epoch. It offers
 * the tracks of the titles that are ready. `known`, the stored layout, only grows, and earlier programmes stay as they
 * are (docs/decisions/0109).
 *
 * @returns undefined while no title is ready.
 */
export function layoutFor(
  known: Layout | null,
  rows: readonly ResolvedRow[],
  trackSets: ReadonlyMap<string, TrackSet>,
  from: number,
): Layout | undefined {
  const programmes = rows.flatMap(({ ready, mainTrackSetId }) => {
    const trackSet = ready && mainTrackSetId !== null ? trackSets.get(mainTrackSetId) : undefined
    return trackSet ? [trackSet] : []
  })
  if (known) return growChannelLayout(known, programmes, from)
  return programmes.length > 0 ? layoutOfChannel(programmes, SEGMENT_SECONDS) : undefined
}

/**
 * Returns the part of a TrackSet that a channel plays: all segments that exist in every rendition. Returns
 * undefined if the TrackSet does not fit the layout.
 */
export function pieceOf(layout: Layout, trackSet: TrackSet, assetId: number): ScheduledMedia | undefined {
  try {
    const renditions = [clockRendition(trackSet), ...Object.values(mapOnto(layout, trackSet))]
    const counts = renditions.flatMap((rendition) => (rendition ? [segmentTimes(rendition).count] : []))
    const segmentCount = Math.min(...counts)
    const durationMs = spanMilliseconds(trackSet, 0, segmentCount)
    return { assetId, trackSetId: trackSet.id, durationMs, segmentCount }
  } catch (error) {
    if (error instanceof TimelineError) return undefined
    throw error
  }
}
