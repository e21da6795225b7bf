import type { Layout } from '@ondine/media/layout'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../context.ts'
import type { Cut } from '../../../ingest/live/cutter.ts'
import { SILENCE_MS } from '../../../ingest/live/feed.ts'
import { completed, encodeSlate, type SlateShape } from '../../../ingest/live/slate.ts'
import { LONGEST_SEGMENT_MS } from './address-signal.ts'
import { type LiveRecorder, millisecondsOf } from './live-recorder.ts'
import { slateLanguage, slateLook } from './slate-look.ts'

/**
 * Longest silence that is filled from its beginning, in milliseconds. In a longer silence, no process was
 * receiving the input.
 */
const LONGEST_HOLE_MS = 15_000

/**
 * How long an input may take until its first media, before the slate shows on a channel that was never on the air, in
 * milliseconds. ffmpeg may read for 21 s before it writes anything (docs/decisions/0112).
 */
const LONGEST_START_MS = 30_000

/** Picture of the slate on a channel that was never on the air. */
const FIRST_PICTURE = { width: 1280, height: 720, frameRate: 25 }

/** Pause before a failed slate is encoded again, in milliseconds. */
const RETRY_MS = 60_000
/** Timeout of encoding a slate, in milliseconds. */
const LONGEST_ENCODING_MS = 60_000

/** Returns a segment of a slate by its number, from 0. */
type Segments = (number: number) => Cut

/** Slates by look and shape. Inputs that are silent at the same time share a slate. */
const encoded = new LRUCache<string, Promise<Segments>>({ max: 20 })

/** The methods of the channel's recorder that the slate uses. */
type SlateRecorder = Pick<LiveRecorder, 'append' | 'endsAt' | 'hasSignal' | 'layout' | 'segmentMs'>

/** Dependencies of the slate: the look of the storefront, and a folder for temporary files. */
export type SlateParts = Pick<Context, 'storefronts' | 'configurations' | 'segments' | 'log'>

/**
 * The picture that viewers see while an input is silent, so that the channel never ends. The slate fills the time
 * after the last segment. On a channel that was never on the air, it says that the broadcast will start soon.
 */
export class Slate {
  readonly #recorder: SlateRecorder
  readonly #context: SlateParts
  readonly #beganAt: number
  #segments: Segments | undefined
  /** Whether the slate is being encoded. */
  #isEncoding = false
  /**
   * Segments with silence or a still picture, for inputs that lack sound or a picture. `shape` says which tracks
   * they have.
   */
  #beside: { shape: SlateShape; segments: Segments } | undefined
  #failedAt = -Infinity
  /** Number of the next segment; null while the slate is not shown. */
  #next: number | null = null
  /** How long the slate has waited for media that arrives, since the last segment of the input. In milliseconds. */
  #heldMs = 0
  #filledAt: number

  /** @param beganAt when the process began to receive the input, in milliseconds since the Unix epoch */
  constructor(context: SlateParts, recorder: SlateRecorder, beganAt: number) {
    this.#context = context
    this.#recorder = recorder
    this.#beganAt = beganAt
    this.#filledAt = beganAt
  }

  /** Ends the slate, because the input has a signal again. */
  end(): void {
    this.#next = null
    this.#heldMs = 0
    // The operator may change the look before the next silence.
    this.#segments = undefined
  }

  /**
   * Appends the slate up to `now` if a segment is late. Does not wait for the encoding of the slate, so that a
   * segment of the input that arrives meanwhile is stored at once.
   *
   * While media arrives, the slate waits for the segment of this media, as long as the longest segment may take. The
   * slate would otherwise take the time of the segment.
   *
   * @param isArriving whether media arrives that may become a segment
   * @returns whether the slate was shown
   */
  async fill(now: number, isArriving = false): Promise<boolean> {
    const passedMs = Math.max(0, now - this.#filledAt)
    this.#filledAt = now
    const endsAt = await this.#recorder.endsAt()
    const isLate =
      endsAt === null
        ? now - this.#beganAt >= LONGEST_START_MS
        : now - Math.max(endsAt, this.#beganAt) >= this.#recorder.segmentMs + SILENCE_MS
    if (this.#next === null && !isLate) return false
    if (isArriving && this.#heldMs < LONGEST_SEGMENT_MS) {
      this.#heldMs += passedMs
      return false
    }
    const segments = this.#segments
    if (!segments) {
      void this.#encode(await this.#recorder.layout(), now)
      return false
    }
    this.#next ??= 0
    const segmentMs = millisecondsOf(segments(0))
    const isNew = endsAt === null || now - endsAt > LONGEST_HOLE_MS + this.#heldMs
    let end = isNew ? now : endsAt + segmentMs
    for (; end <= now; end += segmentMs) await this.#recorder.append(segments(this.#next++), end, true)
    return true
  }

  /** Encodes the slate, unless an encoding is in progress or has just failed. Never rejects. */
  async #encode(layout: Layout | null, now: number): Promise<void> {
    if (this.#isEncoding || now - this.#failedAt < RETRY_MS) return
    this.#isEncoding = true
    try {
      // The first media of a channel mostly has the language of the storefront, and then continues the slate.
      const first = { picture: FIRST_PICTURE, sound: slateLanguage(this.#context) }
      this.#segments = await slateOf(this.#context, layout ? shapeOf(layout) : first, layout === null)
    } catch (error) {
      this.#failedAt = now
      this.#context.log.error({ err: error }, 'the slate of silent inputs could not be encoded')
    } finally {
      this.#isEncoding = false
    }
  }

  /**
   * Returns a segment with the tracks that its channel has but its source lacks. Adds a still picture to a source
   * with only sound, and silence to a source with only a picture.
   */
  async completed(cut: Cut, now: number): Promise<Cut> {
    // The layout of a slate that was there before any signal is a guess.
    if (!(await this.#recorder.hasSignal())) return cut
    const kinds = new Set(cut.tracks.map(({ format }) => format.track.kind))
    const layout = await this.#recorder.layout()
    const isComplete = layout?.slots.every(({ kind }) => kind === 'text' || kinds.has(kind)) ?? true
    const segments = isComplete ? undefined : await this.#complement(now)
    return segments ? completed(cut, segments(0)) : cut
  }

  /**
   * Returns the segments with silence and a still picture that complete the input's segments; undefined if
   * encoding failed.
   */
  async #complement(now: number): Promise<Segments | undefined> {
    const layout = await this.#recorder.layout()
    if (!layout) return undefined
    const shape = shapeOf(layout)
    if (this.#beside && isAlike(shape, this.#beside.shape)) return this.#beside.segments
    if (now - this.#failedAt < RETRY_MS) return undefined
    try {
      this.#beside = { shape, segments: await slateOf(this.#context, shape) }
      return this.#beside.segments
    } catch (error) {
      this.#failedAt = now
      this.#context.log.error(
        { err: error },
        'the silence or the still picture of an input could not be encoded',
      )
      return undefined
    }
  }
}

async function slateOf(context: SlateParts, shape: SlateShape, isFirst = false): Promise<Segments> {
  const look = slateLook(context, isFirst)
  const key = JSON.stringify([shape, look])
  const known = encoded.get(key)
  if (known) return await known
  const { workFolder } = context.segments
  const segments = encodeSlate(shape, look, workFolder, AbortSignal.timeout(LONGEST_ENCODING_MS))
  encoded.set(key, segments)
  segments.catch(() => encoded.delete(key))
  return await segments
}

/** Returns the shape of the best picture of a channel, and of its first sound. */
function shapeOf({ slots }: Layout): SlateShape {
  const best = slots.findLast((slot) => slot.kind === 'video')
  const picture = best ? { width: best.width, height: best.height, frameRate: best.frameRate } : null
  return { picture, sound: slots.find((slot) => slot.kind === 'audio')?.language ?? null }
}

/** Returns whether both shapes have the same kinds of tracks. The size of the picture does not matter. */
function isAlike(a: SlateShape, b: SlateShape): boolean {
  return (a.picture === null) === (b.picture === null) && a.sound === b.sound
}
