import { LAYOUT } from '@ondine/contract/constants'

/**
 * Accepts a toggle, then rejects further toggles for 300 ms (V9-11). Without this, a bouncing finger or an
 * impatient second click would undo the first toggle.
 */
export class ToggleLock {
  #until = Number.NEGATIVE_INFINITY

  /** Returns whether to accept a toggle at `now`. `now` is in ms from any origin. */
  admit(now: number): boolean {
    if (now < this.#until) return false
    this.#until = now + LAYOUT.toggleLockMs
    return true
  }
}
