import { type Timeline, withoutSpans } from '@ondine/media/timeline'
import type { Hole } from '../play-sessions/play-sessions.service.ts'
import type { OnAir } from './on-air.service.ts'

/** Half of an ordinary segment of a live input, in milliseconds. */
const HALF_SEGMENT_MS = 1000

/**
 * Returns whether media belongs to a hole. The middle of its first segment decides. So the result stays the same
 * while a live TrackSet grows, and the media that players have begun to play stays in the manifest.
 */
export function isInHole(startsAt: number, endsAt: number, holes: readonly Hole[]): boolean {
  const moment = Math.min((startsAt + endsAt) / 2, startsAt + HALF_SEGMENT_MS)
  return holes.some(([from, to]) => from <= moment && moment < to)
}

/**
 * Timelines without holes, by the JSON of the holes. The same Timeline object must be returned each time, because
 * the manifest cache uses the object as its key.
 */
const derived = new WeakMap<Timeline, Map<string, OnAir | undefined>>()

/** Removes the media in holes. @returns undefined if no media remains */
export function withoutHoles(onAir: OnAir, holes: readonly Hole[] = []): OnAir | undefined {
  if (holes.length === 0) return onAir
  const { timeline, entries } = onAir
  const known = derived.get(timeline) ?? new Map<string, OnAir | undefined>()
  derived.set(timeline, known)
  const key = JSON.stringify(holes)
  if (!known.has(key)) {
    const rest = withoutSpans(timeline, ({ startsAt, endsAt }) => isInHole(startsAt, endsAt, holes))
    const kept = entries.filter(({ startsAt, endsAt }) => !isInHole(startsAt, endsAt, holes))
    known.set(key, rest && { timeline: rest, entries: kept })
  }
  return known.get(key)
}
