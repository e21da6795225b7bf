import { LAYOUT } from '@ondine/contract/constants'

/**
 * Accepts a toggle, then rejects further toggles for 300 ms (V9-11). So a bouncing finger or an impatient
 * second click does not undo the first toggle.
 */
export class ToggleLock {
  #until = Number.NEGATIVE_INFINITY

  /** Returns whether a toggle at `now` counts. `now` is in ms of any clock. */
  admit(now: number): boolean {
    if (now < this.#until) return false
    this.#until = now + LAYOUT.toggleLockMs
    return true
  }
}
