/** The clock of the process. Tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** The wall clock. */
export const wallClock: Clock = { now: () => Date.now() }

/** A clock that stands still until it is set or advanced. */
export class SettableClock implements Clock {
  #now: number

  constructor(now: number) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  /** Sets the clock to `now`, in milliseconds since the Unix epoch. */
  set(now: number): void {
    this.#now = now
  }

  /** Moves the clock by `milliseconds`. */
  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}
