/** Times of the shell, in milliseconds (V4-08). */
export const SHELL_TIMES = {
  /** Time in which the burger ignores a second press. */
  burgerLockMs: 800,
  /** Time in which the button of the search box ignores a second press. */
  searchLockMs: 450,
  /** Delay after a navigation before the profile menu closes. */
  profileCloseMs: 200,
  /** Duration of the fade-out of the global loader (V4-03). */
  loaderFadeMs: 200,
} as const
