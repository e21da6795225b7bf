/** The number of profiles side by side in the chooser, by minimum width of the window in pixels (A9-06). */
export const PROFILE_BREAKPOINTS = [
  { from: 280, profiles: 2 },
  { from: 480, profiles: 3 },
  { from: 700, profiles: 4 },
  { from: 1000, profiles: 5 },
  { from: 1300, profiles: 6 },
] as const

/** Number of profiles below the first breakpoint. */
const FEWEST = 1

/** Returns the number of profiles that the chooser shows side by side in a window of this width in pixels (A9-06). */
export function profilesBeside(windowWidth: number): number {
  return PROFILE_BREAKPOINTS.findLast(({ from }) => windowWidth >= from)?.profiles ?? FEWEST
}
