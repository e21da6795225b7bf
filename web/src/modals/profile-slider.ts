/** From which width of the window, in pixels, the chooser shows so many profiles side by side (A9-06). */
export const PROFILE_BREAKPOINTS = [
  { from: 280, profiles: 2 },
  { from: 480, profiles: 3 },
  { from: 700, profiles: 4 },
  { from: 1000, profiles: 5 },
  { from: 1300, profiles: 6 },
] as const

/** Below the first breakpoint there is room for one. */
const FEWEST = 1

/** How many profiles the chooser shows side by side in a window so wide, in pixels (A9-06). */
export function profilesBeside(windowWidth: number): number {
  return PROFILE_BREAKPOINTS.findLast(({ from }) => windowWidth >= from)?.profiles ?? FEWEST
}
