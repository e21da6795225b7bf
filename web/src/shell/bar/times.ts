/** Times of the shell, in milliseconds (V4-08). */
export const SHELL_TIMES = {
  /** Time after a press during which the burger menu's button ignores another press. */
  burgerLockMs: 800,
  /** Time after a press during which the search box's button ignores another press. */
  searchLockMs: 450,
  /** Delay after a navigation before the profile menu closes. */
  profileCloseMs: 200,
  /** Duration of the global loader's fade-out (V4-03). */
  loaderFadeMs: 200,
} as const
