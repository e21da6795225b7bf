import { type Layout, layoutOfChannel, mapOnto } from '@ondine/media/layout'
import { segmentTimes } from '@ondine/media/segment-times'
import { createTimeline, spanMilliseconds, type Timeline } from '@ondine/media/timeline'
import { TimelineError } from '@ondine/media/timeline-error'
import { SEGMENT_SECONDS, type TrackSet } from '@ondine/media/track-set'
import { clockRendition } from '@ondine/media/track-set-check'
import type { EntryRow } from './channels.repository.ts'
import type { ShelfRow } from './schedule.repository.ts'
import type { Piece } from './schedule.ts'

/**
 * What a channel shows every programme with, made of the programmes that are ready when it first goes on the air. It
 * holds for the life of the channel, because a player that watches must never see a rendition come or go.
 *
 * @returns undefined while nothing is ready.
 */
export function chooseLayout(
  rows: readonly ShelfRow[],
  trackSets: ReadonlyMap<string, TrackSet>,
): Layout | undefined {
  const programmes = rows.flatMap(({ ready, mainTrackSetId }) => {
    const trackSet = ready && mainTrackSetId !== null ? trackSets.get(mainTrackSetId) : undefined
    return trackSet ? [trackSet] : []
  })
  return programmes.length > 0 ? layoutOfChannel(programmes, SEGMENT_SECONDS) : undefined
}

/** What a channel plays of a TrackSet: all segments that every rendition has. Undefined when it does not fit the channel. */
export function pieceOf(layout: Layout, trackSet: TrackSet, assetId: number): Piece | undefined {
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

/**
 * The Timeline of stored entries.
 *
 * @throws TimelineError when they do not follow each other, or do not fit the layout.
 */
export function timelineOf(
  layout: Layout,
  entries: readonly EntryRow[],
  trackSets: ReadonlyMap<string, TrackSet>,
): Timeline {
  return createTimeline(
    layout,
    entries.map((entry) => {
      const trackSet = trackSets.get(entry.trackSetId)
      if (!trackSet) throw new Error(`There is no TrackSet ${entry.trackSetId}.`)
      const { startsAt, firstSegment, segmentCount, mediaSequence, discontinuitySequence } = entry
      return { trackSet, startsAt, firstSegment, segmentCount, mediaSequence, discontinuitySequence }
    }),
  )
}
