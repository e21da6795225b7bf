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

  /**
   * Records the newest media, and returns whether the media falls behind.
   *
   * @param mediaSeconds time of the newest frame on the source's clock
   * @param arrivedAt when it arrived, in milliseconds since the Unix epoch
   */
  fallsBehind(mediaSeconds: number, arrivedAt: number): boolean {
    const behindMs = arrivedAt - mediaSeconds * 1000
    const passedMs = arrivedAt - this.#arrivedAt
    const isPause = passedMs > PAUSE_MS
    this.#leastMs = isPause ? behindMs : Math.min(behindMs, this.#leastMs + DRIFT * passedMs)
    this.#arrivedAt = arrivedAt
    return behindMs - this.#leastMs > MOST_BEHIND_MS
  }
}
