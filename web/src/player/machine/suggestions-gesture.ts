import { PLAYER } from '@ondine/contract/constants'

/** The effect of a gesture on the suggestions panel. */
export type SuggestionsGesture = 'open' | 'close'

/**
 * Returns the effect of the wheel (V4-35, spec 22): scrolling down by more than 20 px opens the suggestions,
 * scrolling up by more than 20 px closes them.
 */
export function wheelGesture(deltaY: number): SuggestionsGesture | undefined {
  if (deltaY > PLAYER.wheelThreshold) return 'open'
  return deltaY < -PLAYER.wheelThreshold ? 'close' : undefined
}

/** A swipe, in pixels; `dy` is negative upwards. */
export interface Swipe {
  dx: number
  dy: number
  windowWidth: number
  fullscreen: boolean
}

/** A shorter movement is a tap with an unsteady finger. */
const SHORTEST_SWIPE = 40

/**
 * Returns the effect of a swipe: up opens the suggestions, down closes them, in windows wider than 600 px and outside
 * full screen (V4-35).
 */
export function swipeGesture({ dx, dy, windowWidth, fullscreen }: Swipe): SuggestionsGesture | undefined {
  if (fullscreen || windowWidth <= PLAYER.swipeMinWidth) return undefined
  if (Math.abs(dy) < SHORTEST_SWIPE || Math.abs(dx) > Math.abs(dy)) return undefined
  return dy < 0 ? 'open' : 'close'
}
