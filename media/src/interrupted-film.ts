import { layoutOfTrackSet } from './layout.ts'
import { segmentTimes } from './segment-times.ts'
import {
  appendSpan,
  createSpan,
  createTimeline,
  type Span,
  type SpanPlan,
  type Timeline,
} from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { clockRendition } from './track-set-check.ts'

/** A break in a film: other TrackSets, such as advertisements, play before one of the film's segments. */
export interface FilmBreak {
  /**
   * Index of the film's segment after the break. If it equals the number of the film's segments, the break is after
   * the film.
   */
  before: number
  trackSets: readonly TrackSet[]
}

/** A break with its times, in milliseconds. */
export interface PlacedBreak {
  /** Position in the film at which the break begins. */
  position: number
  /** Beginning and end of the break in the Timeline. */
  startsAt: number
  endsAt: number
  /** Beginning and end of each TrackSet of the break, in the Timeline. */
  parts: readonly { startsAt: number; endsAt: number }[]
}

/**
 * Returns the Timeline of a film with breaks. The Spans of the breaks are between the Spans of the film. Players
 * treat it like the Timeline of a channel.
 *
 * @param breaks in ascending order of `before`, at most one break for each value
 * @throws TimelineError if a TrackSet cannot play in the slots of the film, or if the renditions of the film are not
 * cut at the same times
 */
export function interruptedTimeline(film: TrackSet, breaks: readonly FilmBreak[]): Timeline {
  const layout = layoutOfTrackSet(film)
  const { count } = segmentTimes(clockRendition(film))
  const plans: SpanPlan[] = []
  let last: Span | null = null
  const append = (trackSet: TrackSet, firstSegment = 0, end?: number) => {
    const range = end === undefined ? {} : { firstSegment, segmentCount: end - firstSegment }
    const plan = appendSpan(last, trackSet, range)
    plans.push(plan)
    last = createSpan(layout, plan)
  }
  let next = 0
  for (const { before, trackSets } of breaks) {
    if (before > next) append(film, next, before)
    for (const trackSet of trackSets) append(trackSet)
    next = before
  }
  if (next < count) append(film, next, count)
  return createTimeline(layout, plans)
}

/** Returns the breaks of a Timeline that {@link interruptedTimeline} has made, with their times. */
export function placedBreaks({ spans }: Timeline, film: TrackSet): PlacedBreak[] {
  const placed: (PlacedBreak & { parts: { startsAt: number; endsAt: number }[] })[] = []
  let position = 0
  let before: TrackSet | undefined
  for (const { trackSet, startsAt, endsAt } of spans) {
    const open = before === undefined || before === film ? undefined : placed.at(-1)
    if (trackSet === film) position += endsAt - startsAt
    else if (open) {
      open.endsAt = endsAt
      open.parts.push({ startsAt, endsAt })
    } else placed.push({ position, startsAt, endsAt, parts: [{ startsAt, endsAt }] })
    before = trackSet
  }
  return placed
}
