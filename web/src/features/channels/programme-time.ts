import type { Programme } from '@ondine/contract/entities'

/** When something runs, in seconds since the Unix epoch. */
export type Interval = Pick<Programme, 'startutc' | 'endutc'>

/** The live state of an item: the end has passed, the start is still to come, or neither (V3, channel card). */
export function liveState({ startutc, endutc }: Interval, now: number): 'done' | 'starts' | 'live' {
  if (now >= endutc) return 'done'
  return now < startutc ? 'starts' : 'live'
}

/** How far a programme has run at `now`, from 0 to 1 (V3-25). */
export function programmeProgress({ startutc, endutc }: Interval, now: number): number {
  if (endutc <= startutc) return 0
  return Math.min(1, Math.max(0, (now - startutc) / (endutc - startutc)))
}
