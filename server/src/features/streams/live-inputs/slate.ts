import type { Layout } from '@ondine/media/layout'
import type { Cut } from '../../../ingest/live/cutter.ts'
import { SILENCE_MS } from '../../../ingest/live/feed.ts'
import { encodeSlate, type SlateShape } from '../../../ingest/live/slate.ts'
import { type LiveRecorder, millisecondsOf } from './live-recorder.ts'

/** A silence that is longer than this is not filled from its beginning: a process was away. In milliseconds. */
const LONGEST_HOLE_MS = 15_000

/** A failed slate is tried again after this time, in milliseconds. */
const RETRY_MS = 60_000

/**
 * The picture that viewers see while an input is silent, so that its channel never ends. It fills the time from
 * the last segment on.
 */
export class Slate {
  readonly #recorder: LiveRecorder
  readonly #beganAt: number
  readonly #signal: AbortSignal
  #segments: ((number: number) => Cut) | undefined
  #failedAt = -Infinity
  /** Number of the next segment; null while the slate is not shown. */
  #next: number | null = null

  /** @param beganAt since when the input is received, in milliseconds since the Unix epoch */
  constructor(recorder: LiveRecorder, beganAt: number, signal: AbortSignal) {
    this.#recorder = recorder
    this.#beganAt = beganAt
    this.#signal = signal
  }

  /** Notes that the input is on the air again. */
  end(): void {
    this.#next = null
  }

  /**
   * Appends the slate up to `now` if a segment is late.
   *
   * @returns whether the slate is shown
   */
  async fill(now: number): Promise<boolean> {
    const endsAt = await this.#recorder.endsAt()
    if (endsAt === null) return false
    const isLate = now - Math.max(endsAt, this.#beganAt) >= this.#recorder.segmentMs + SILENCE_MS
    if (this.#next === null && !isLate) return false
    const segments = await this.#encoded(now)
    if (!segments) return false
    this.#next ??= 0
    const segmentMs = millisecondsOf(segments(0))
    let end = now - endsAt > LONGEST_HOLE_MS ? now : endsAt + segmentMs
    for (; end <= now; end += segmentMs) await this.#recorder.append(segments(this.#next++), end, true)
    return true
  }

  /** Returns the segments of the slate, which is encoded when it is first needed. Undefined if that failed. */
  async #encoded(now: number): Promise<((number: number) => Cut) | undefined> {
    if (this.#segments || now - this.#failedAt < RETRY_MS) return this.#segments
    this.#failedAt = now
    const layout = await this.#recorder.layout()
    if (layout) this.#segments = await encodeSlate(shapeOf(layout), this.#signal)
    return this.#segments
  }
}

/** Returns the shape of the best picture of a channel. */
function shapeOf({ slots }: Layout): SlateShape {
  const picture = slots.findLast((slot) => slot.kind === 'video')
  return { picture: picture ?? null, hasSound: slots.some(({ kind }) => kind === 'audio') }
}
