import type { Ad } from '@ondine/contract/playback'
import type { NamedAd } from './ad-server.ts'
import type { AdEvent, Trackers } from './ads.table.ts'

/** Returns the event that playback has reached a moment of an advertisement, in seconds. */
export function progressEvent(at: number): AdEvent {
  return `progress-${at}`
}

/** The trackers of an advertisement, and the moments at which those of `progress` are called. */
export interface TimedTrackers extends Pick<Ad, 'progressAt'> {
  trackers: Trackers
}

/**
 * Returns the trackers of an advertisement with those of `progress`. Leaves out moments that the advertisement does
 * not reach.
 *
 * @param duration duration of the advertisement as it is shown, in seconds
 */
export function timedTrackers(
  { trackers, progress }: Pick<NamedAd, 'trackers' | 'progress'>,
  duration: number,
): TimedTrackers {
  const called = new Map<number, string[]>()
  for (const [offset, addresses] of progress) {
    const at = offset.endsWith('%') ? (duration * Number(offset.slice(0, -1))) / 100 : Number(offset)
    const milliseconds = Math.round(at * 1000)
    if (at <= duration)
      called.set(milliseconds / 1000, [...(called.get(milliseconds / 1000) ?? []), ...addresses])
  }
  if (called.size === 0) return { trackers }
  const timed = Object.fromEntries([...called].map(([at, addresses]) => [progressEvent(at), addresses]))
  return { trackers: { ...trackers, ...timed }, progressAt: [...called.keys()] }
}
