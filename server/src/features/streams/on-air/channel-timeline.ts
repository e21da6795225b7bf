import type { Layout } from '@ondine/media/layout'
import { createTimeline, type Timeline } from '@ondine/media/timeline'
import type { TrackSet } from '@ondine/media/track-set'
import type { EntryRow } from '../../television/schedule/schedule-entry.ts'

/**
 * Builds the Timeline of stored entries.
 *
 * @throws TimelineError when the entries are not consecutive, or do not fit the layout.
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
