/** The times of a programme or event, in seconds since the Unix epoch. */
export interface ShowingTimes {
  startutc: number
  endutc: number
}

/** `starts` before the start, `done` from the end on, and `live` in between (V3-28). */
export type LiveState = 'done' | 'starts' | 'live'

/** Returns the live state at `now`, in seconds since the Unix epoch (V3-28). */
export function liveState({ startutc, endutc }: ShowingTimes, now: number): LiveState {
  if (now >= endutc) return 'done'
  return now < startutc ? 'starts' : 'live'
}

/** Returns the elapsed fraction of an interval at `now`, from 0 to 1 (V3-25). */
export function elapsedShare({ startutc, endutc }: ShowingTimes, now: number): number {
  if (endutc <= startutc) return 0
  return Math.min(1, Math.max(0, (now - startutc) / (endutc - startutc)))
}
