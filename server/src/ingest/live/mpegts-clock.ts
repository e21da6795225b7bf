/** Ticks per second of the MPEG-TS clock, and the number of ticks after which the clock restarts at 0. */
export const CLOCK = 90_000
export const WRAP = 2 ** 33

const WRAP_SECONDS = WRAP / CLOCK

/** Returns the time nearest to `nearSeconds` at which the MPEG-TS clock shows the same as at `seconds`. */
export function unwrapped(seconds: number, nearSeconds: number): number {
  return seconds + Math.round((nearSeconds - seconds) / WRAP_SECONDS) * WRAP_SECONDS
}
