import { LIVE_SEGMENT_SECONDS, LONGEST_SEGMENT_SECONDS } from '../../../ingest/live/cutter.ts'
import { type FeedState, SILENCE_MS } from '../../../ingest/live/feed.ts'
import { usualMilliseconds } from './live-recorder.ts'

/** Longest segment of a source, in milliseconds. */
export const LONGEST_SEGMENT_MS = LONGEST_SEGMENT_SECONDS * 1000
/** The main address becomes active again after its signal has been steady for this long, in milliseconds. */
const STEADY_MS = 60_000
/**
 * At the start, the spare address may be received first. If the main address is received within this time, in
 * milliseconds, it becomes active with its first segment.
 */
const START_MS = 20_000
/** An address that sends no usable segment for this long counts as silent, in milliseconds. */
const USELESS_MS = 5000
/** Number of segments of which the longest tells when the next segment is overdue. */
const MOST_LENGTHS = 20

/** The addresses of an input. */
export type Side = 'main' | 'spare'

type Heard = Pick<FeedState, 'heardAt' | 'steadySince'>

/** Returns whether media arrives at `now`. */
export function isHeard({ heardAt, steadySince }: Heard, now: number): boolean {
  // When a source ends, ffmpeg still writes the rest of its output. This output does not count as a signal.
  return heardAt !== null && steadySince !== null && now - heardAt < SILENCE_MS
}

/**
 * Whether an address of an input sends segments that the channel can show. Times are milliseconds since the Unix epoch.
 */
export class AddressSignal {
  /** Whether the address sends no usable segments. */
  isSilent = true
  /** Since when media has arrived without a silence or a missing segment, usable or not; null otherwise. */
  steadyFrom: number | null = null
  /** When the newest segment was complete; 0 before the first segment. */
  cutAt = 0
  /** When the first and the latest segment arrived that the channel cannot show. */
  #unfit: { since: number; last: number } | null = null
  /** Usual durations of the newest segments, in milliseconds. */
  #lengthsMs = [LIVE_SEGMENT_SECONDS * 1000]

  /** Time without a segment after which the next one is overdue, in milliseconds. */
  get overdueMs(): number {
    return Math.max(...this.#lengthsMs) + USELESS_MS
  }

  /** Whether the channel cannot show the newest segment. */
  get isUnfit(): boolean {
    return this.#unfit !== null
  }

  /** Notes a segment that was complete at `at`. */
  cut(durationMs: number, at: number): void {
    this.cutAt = at
    const usualMs = usualMilliseconds(durationMs, this.#lengthsMs.at(-1) ?? durationMs)
    this.#lengthsMs = [...this.#lengthsMs.slice(1 - MOST_LENGTHS), usualMs]
  }

  /** Notes whether the channel could show a segment that arrived at `at`. */
  shown(isFit: boolean, at: number): void {
    this.#unfit = isFit ? null : { since: this.#unfit?.since ?? at, last: at }
  }

  /** Detects silence. Called several times a second. */
  listen(heard: Heard, now: number): void {
    if (!isHeard(heard, now) || this.#lacksSegments(heard.steadySince ?? now, now)) this.steadyFrom = null
    else this.steadyFrom ??= now
    this.isSilent = this.steadyFrom === null || this.#isRefused(now)
  }

  /** Returns whether media arrives without a complete segment. */
  #lacksSegments(heardSince: number, now: number): boolean {
    return now - Math.max(this.cutAt, heardSince) >= this.overdueMs
  }

  /**
   * Returns whether the channel cannot show the segments. After a while, the segments are tried again, because their
   * format may have changed.
   */
  #isRefused(now: number): boolean {
    return this.#unfit !== null && now - this.#unfit.since >= USELESS_MS && now - this.#unfit.last < STEADY_MS
  }
}

/**
 * Returns the address to show at `now`. The spare address takes over while the main address is silent, until the main
 * address is steady again.
 *
 * @param beganAt when the process began to receive the input, in milliseconds since the Unix epoch
 */
export function sideToShow(
  active: Side,
  { main, spare }: Record<Side, AddressSignal>,
  beganAt: number,
  now: number,
): Side {
  if (active === 'main') return main.isSilent && !spare.isSilent ? 'spare' : 'main'
  const { steadyFrom } = main
  if (main.isSilent || steadyFrom === null) return 'spare'
  // Without a segment, nothing could be stored until the next key frame.
  const hasJustBegun =
    main.cutAt > 0 && steadyFrom - beganAt < START_MS && now - beganAt < START_MS + LONGEST_SEGMENT_MS
  return hasJustBegun || spare.isSilent || now - steadyFrom >= STEADY_MS ? 'main' : 'spare'
}
