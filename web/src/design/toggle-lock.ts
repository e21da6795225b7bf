import { LAYOUT } from '@ondine/contract/constants'

/**
 * Lets a toggle through, and then none for 300 ms (V9-11): a finger that bounces, or a second click of an impatient one,
 * does not undo what the first one did.
 */
export class ToggleLock {
  #until = Number.NEGATIVE_INFINITY

  /** Whether a toggle at `now`, in ms of any clock, counts. */
  admit(now: number): boolean {
    if (now < this.#until) return false
    this.#until = now + LAYOUT.toggleLockMs
    return true
  }
}
