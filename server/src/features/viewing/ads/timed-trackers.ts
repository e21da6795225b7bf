import type { Ad } from '@ondine/contract/playback'
import type { NamedAd } from './ad-server.ts'
import type { AdEvent, Trackers } from './ads.table.ts'

/** Returns the event that playback has reached a moment of an advertisement, in seconds. */
export function progressEvent(at: number): AdEvent {
  return `progress-${at}`
}

/** The trackers of an advertisement, and the moments at which its `progress` trackers are called. */
export interface TimedTrackers extends Pick<Ad, 'progressAt'> {
  trackers: Trackers
}

/** Maximum number of moments of an advertisement. Further ones are left out. */
const MOST_MOMENTS = 20

/**
 * Returns the trackers of an advertisement, including its `progress` trackers. Leaves out `progress` trackers whose
 * moment is after the end of the advertisement.
 *
 * @param duration duration of the advertisement as it is shown, in seconds
 */
export function timedTrackers(
  { trackers, progress }: Pick<NamedAd, 'trackers' | 'progress'>,
  duration: number,
): TimedTrackers {
  const called = new Map<number, string[]>()
  for (const [offset, addresses] of progress) {
    const seconds = offset.endsWith('%') ? (duration * Number(offset.slice(0, -1))) / 100 : Number(offset)
    const at = Math.round(seconds * 1000) / 1000
    if (seconds <= duration) called.set(at, [...(called.get(at) ?? []), ...addresses])
  }
  const moments = [...called].toSorted(([one], [other]) => one - other).slice(0, MOST_MOMENTS)
  if (moments.length === 0) return { trackers }
  const timed = Object.fromEntries(moments.map(([at, addresses]) => [progressEvent(at), addresses]))
  return { trackers: { ...trackers, ...timed }, progressAt: moments.map(([at]) => at) }
}
