/** How far encoded media may fall behind its source, in milliseconds. Less than what any source buffers. */
const MOST_BEHIND_MS = 4000
/** A longer pause in the media is a fault of the source, not of the encoder. In milliseconds. */
const PAUSE_MS = 1000
/** How much slower than ours the clock of a source may be, as a share of the time. */
const DRIFT = 0.01

/**
 * Notices that this machine is too slow to encode a live input. One ffmpeg makes all renditions, so it then also reads
 * the source too slowly, and the whole channel falls behind until media is lost.
 */
export class EncodingPace {
  /** Least lag of the media since the last pause, in milliseconds. */
  #leastMs = Infinity
  #arrivedAt = -Infinity
  #mediaSeconds = -Infinity

  /**
   * Records the newest media, and returns whether the media falls behind. Media that has been recorded before counts as
   * a pause: the picture may stop while the sound goes on.
   *
   * @param mediaSeconds time of the newest frame on the source's clock
   * @param arrivedAt when it arrived, in milliseconds since the Unix epoch
   */
  fallsBehind(mediaSeconds: number, arrivedAt: number): boolean {
    if (mediaSeconds === this.#mediaSeconds) return false
    this.#mediaSeconds = mediaSeconds
    const behindMs = arrivedAt - mediaSeconds * 1000
    const passedMs = arrivedAt - this.#arrivedAt
    const isPause = passedMs > PAUSE_MS
    this.#leastMs = isPause ? behindMs : Math.min(behindMs, this.#leastMs + DRIFT * passedMs)
    this.#arrivedAt = arrivedAt
    return behindMs - this.#leastMs > MOST_BEHIND_MS
  }
}

/** How long lower renditions stay out, in milliseconds: the first time, and at most. */
const FIRST_REST_MS = 10 * 60_000
const LONGEST_REST_MS = 24 * 3_600_000

/**
 * Decides when the lower renditions are encoded again after this machine was too slow. The machine or the network may
 * have been slow for a moment only. Each attempt interrupts the channel, so the rest becomes twice as long each time, until
 * an attempt has lasted longer than the rest before it.
 */
export class LadderRest {
  /** Since when the lower renditions have been encoded or have rested, in milliseconds since the Unix epoch. */
  #since = -Infinity
  #restMs = 0
  #isResting = false

  get isResting(): boolean {
    return this.#isResting
  }

  /** Begins a rest, because this machine is too slow. `now` is in milliseconds since the Unix epoch. */
  begin(now: number): void {
    const hasLasted = now - this.#since > this.#restMs
    this.#restMs = hasLasted ? FIRST_REST_MS : Math.min(2 * this.#restMs, LONGEST_REST_MS)
    this.#since = now
    this.#isResting = true
  }

  /** Returns whether a rest has ended by `now`, and ends it. */
  isOver(now: number): boolean {
    if (!this.#isResting || now - this.#since < this.#restMs) return false
    this.end(now)
    return true
  }

  /** Ends a rest early, for example because another source sends. */
  end(now: number): void {
    if (!this.#isResting) return
    this.#isResting = false
    this.#since = now
  }
}
