/** Times of the shell, in milliseconds (V4-08). */
export const SHELL_TIMES = {
  /** The burger takes no second press for this long. */
  burgerLockMs: 800,
  /** Nor does the button of the search box. */
  searchLockMs: 450,
  /** The profile menu closes this long after a navigation. */
  profileCloseMs: 200,
  /** The global loader fades away in this time (V4-03). */
  loaderFadeMs: 200,
} as const
