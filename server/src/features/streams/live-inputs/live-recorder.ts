import { generateKeySync, randomBytes } from 'node:crypto'
import { growLayout, type Layout, layoutOfChannel, mapOnto, type Slot } from '@ondine/media/layout'
import { type Joint, spanMilliseconds } from '@ondine/media/timeline'
import { TimelineError } from '@ondine/media/timeline-error'
import type { TrackSet } from '@ondine/media/track-set'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import type { LiveKey } from '../../../ingest/live/cbcs.ts'
import { type Cut, LIVE_SEGMENT_SECONDS } from '../../../ingest/live/cutter.ts'
import { LiveTrackSet } from '../../../ingest/live/live-track-set.ts'
import { ratingsBetween } from '../../television/channels/channels.service.ts'
import {
  addSet,
  endLastSet,
  endSetOf,
  eventsBetween,
  findLayout,
  hasSignal,
  keepLease,
  type LastSet,
  type Lease,
  setLayout,
  updateSet,
} from './live-sets.repository.ts'
import { LONGEST_SET_MS } from './sweep-live-sets.ts'

/**
 * Maximum lag of the channel's media behind the service's clock, in milliseconds. The media lags if the clock of
 * the source is slow. With a larger lag, the next segment begins a TrackSet at the time of the service's clock.
 */
const LATE_MS = 5000

/**
 * Maximum time from the arrival of a segment of the usual length to its end on the channel's clock, in milliseconds.
 * For a longer segment, its additional length is allowed too: the slate may end only just before the segment arrives.
 */
const AHEAD_MS = 5000

/** A growing TrackSet. */
interface OpenSet {
  trackSet: LiveTrackSet
  startsAt: number
  endsAt: number
  /**
   * Time at which another programme begins, or another key applies. Only the first segment of the TrackSet can
   * extend beyond this time. So a segment across the border of two programmes has a separate TrackSet.
   */
  until: number
  mediaSequence: number
  discontinuitySequence: number
  position: number
}

/** A key, and the programme and the period to which it applies. */
interface CurrentKey {
  key: LiveKey
  purpose: string
}

const HELD_ELSEWHERE = 'another process receives this input'

/** A segment that cannot be added to the channel. The message is for the operator. */
export class UnfitSegmentError extends Error {
  override name = 'UnfitSegmentError'
}

/** Stores the segments of a live input as TrackSets that continue one another (docs/decisions/0077). */
export class LiveRecorder {
  readonly #context: Pick<Context, 'db' | 'segments' | 'settings'>
  readonly #channelId: number
  readonly #lease: Lease
  #open: OpenSet | undefined
  /** Id of the TrackSet that this recorder began last and has not ended. A failure closes it, but does not end it. */
  #unended: string | undefined
  #current: CurrentKey | undefined
  #layout: Layout | null = null
  #endsAt: number | null | undefined
  #segmentMs = LIVE_SEGMENT_SECONDS * 1000
  #hasSignal = false

  /** @param lease the lease on the input of the channel. Without the lease, nothing is stored */
  constructor(context: Pick<Context, 'db' | 'segments' | 'settings'>, channelId: number, lease: Lease) {
    this.#context = context
    this.#channelId = channelId
    this.#lease = lease
  }

  /**
   * Stores a segment and announces it.
   *
   * @param arrivedAt when the segment was complete, in milliseconds since the Unix epoch
   * @param isSlate whether the segment is the slate of a silent input
   * @throws UnfitSegmentError if the channel cannot show the segment. The next segment begins a TrackSet
   */
  async append(cut: Cut, arrivedAt: number, isSlate = false): Promise<void> {
    try {
      const open = this.#open
      if (open && this.#continues(open, cut, arrivedAt)) await this.#grow(open, cut, arrivedAt)
      else await this.#begin(cut, arrivedAt, isSlate)
      this.#endsAt = this.#open?.endsAt
      this.#segmentMs = usualMilliseconds(millisecondsOf(cut), this.#segmentMs)
    } catch (error) {
      // Stored segments stay. The next segment begins a TrackSet after a discontinuity.
      this.#open = undefined
      this.#endsAt = undefined
      this.#layout = null
      throw error
    }
  }

  /**
   * Returns when the newest segment ends, in milliseconds since the Unix epoch; null if the channel was never
   * on the air.
   */
  async endsAt(): Promise<number | null> {
    if (this.#endsAt === undefined) this.#endsAt = (await this.#endLast())?.endsAt ?? null
    return this.#endsAt
  }

  /** Returns the channel's layout; null if the channel was never on the air. */
  async layout(): Promise<Layout | null> {
    this.#layout ??= await findLayout(this.#context.db, this.#channelId)
    return this.#layout
  }

  /** Returns whether the channel has media other than the slate. */
  async hasSignal(): Promise<boolean> {
    this.#hasSignal ||= await hasSignal(this.#context.db, this.#channelId)
    return this.#hasSignal
  }

  /** Duration of the newest usual segment, in milliseconds, see {@link usualMilliseconds}. */
  get segmentMs(): number {
    return this.#segmentMs
  }

  /** Ends the TrackSet, also after another process has received the input or the input was removed. */
  async close(): Promise<void> {
    const id = this.#unended
    this.#open = undefined
    if (id === undefined) return
    // Without the lease: the process that receives the input now has ended this TrackSet, or waits for this write.
    await this.#context.db.transaction(async (tx) => await endSetOf(tx, id))
    this.#unended = undefined
  }

  async #endLast(): Promise<LastSet | undefined> {
    return await this.#whileHeld(async (tx) => await endLastSet(tx, this.#channelId))
  }

  /**
   * Runs `write` in a transaction during which no other process takes over the input. @throws UnfitSegmentError
   */
  async #whileHeld<Result>(write: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return await this.#context.db.transaction(async (tx) => {
      if (!(await keepLease(tx, this.#lease))) throw new UnfitSegmentError(HELD_ELSEWHERE)
      return await write(tx)
    })
  }

  #continues(open: OpenSet, cut: Cut, arrivedAt: number): boolean {
    return this.#follows(open, cut, arrivedAt) && open.endsAt + millisecondsOf(cut) <= open.until
  }

  /** Returns whether a segment follows the TrackSet without a discontinuity. */
  #follows(open: OpenSet, cut: Cut, arrivedAt: number): boolean {
    const isInTime = arrivedAt - millisecondsOf(cut) - open.endsAt < LATE_MS
    return cut.isContinuous && isInTime && open.trackSet.isContinuedBy(cut)
  }

  async #grow(open: OpenSet, cut: Cut, arrivedAt: number): Promise<void> {
    requireArrived(open.endsAt, millisecondsOf(cut), arrivedAt)
    await open.trackSet.append(cut, async (grown) => {
      const layout = layoutFor(grown, await this.layout())
      // Under the lease, because another process may have taken over the input and added slots.
      if (layout !== this.#layout)
        await this.#whileHeld(async (tx) => await setLayout(tx, this.#channelId, layout, arrivedAt))
      this.#layout = layout
    })
    const { document } = open.trackSet
    // Under the lease, because the next process receives the segments that this process has not stored yet.
    const isStored = await this.#whileHeld(async (tx) => await updateSet(tx, document))
    if (!isStored) throw new UnfitSegmentError(HELD_ELSEWHERE)
    open.endsAt = open.startsAt + spanMilliseconds(document)
  }

  async #begin(cut: Cut, arrivedAt: number, isSlate: boolean): Promise<void> {
    const { segments } = this.#context
    const durationMs = millisecondsOf(cut)
    const before = this.#open
    const continues = before !== undefined && this.#follows(before, cut, arrivedAt)
    await this.close()
    const last = await this.#endLast()
    const startsAt = continues ? before.endsAt : Math.max(last?.endsAt ?? 0, arrivedAt - durationMs)
    requireArrived(startsAt, durationMs, arrivedAt)
    const { key, until } = await this.#keyFor(startsAt, startsAt + durationMs)
    const known = await this.layout()
    let isAnew = false
    const trackSet = new LiveTrackSet(segments, randomBytes(16).toString('hex'), key)
    const layout = await trackSet.append(cut, async (begun) => {
      isAnew = known !== null && (await this.#beginsLayout(begun, known, isSlate))
      return layoutFor(begun, isAnew ? null : known)
    })
    const { document } = trackSet
    const joint = jointOf(last, startsAt, continues)
    const set = {
      channelId: this.#channelId,
      // Skips a position for a new layout, because a Timeline never extends across a missing position.
      position: (last?.position ?? -1) + (isAnew ? 2 : 1),
      startsAt,
      joint,
      isSlate,
      mediaSequence: last?.mediaSequence ?? 0,
      discontinuitySequence: last ? last.discontinuitySequence + (joint === 'continuous' ? 0 : 1) : 0,
    }
    this.#unended = trackSet.id
    try {
      await this.#whileHeld(async (tx) => {
        if (layout !== known) await setLayout(tx, this.#channelId, layout, arrivedAt)
        await addSet(tx, set, document, key.key.export())
      })
      this.#layout = layout
    } catch (error) {
      // After any other error, the row may be stored, so the media stays.
      if (error instanceof UnfitSegmentError) await trackSet.remove()
      throw error
    }
    this.#open = { ...set, trackSet, endsAt: startsAt + spanMilliseconds(document), until }
  }

  /**
   * Returns the key of a TrackSet with this first segment, and when the TrackSet must end. A key applies to one
   * programme or event, and to one period of `LIVE_KEY_MINUTES`. So the key of one programme never decrypts another
   * programme, and who has bought an event gets keys of the event only. Between programmes, the middle of the segment
   * decides, as for ratings.
   */
  async #keyFor(startsAt: number, endsAt: number): Promise<{ key: LiveKey; until: number }> {
    const { db, settings } = this.#context
    const keyMs = settings.LIVE_KEY_MINUTES * 60_000
    const period = Math.floor(startsAt / keyMs)
    const middle = (startsAt + endsAt) / 2
    const latest = startsAt + LONGEST_SET_MS
    const shown = await ratingsBetween(db, this.#channelId, startsAt, latest)
    const programme = shown.find((each) => each.startsAt <= middle && each.endsAt > middle)
    const events = await eventsBetween(db, this.#channelId, startsAt, latest)
    // A segment that an event only touches is in its window too, and must have no key of the time beside it.
    const current = events.filter((each) => (each.startsAt ?? endsAt) < endsAt)
    const purpose = JSON.stringify([period, programme?.id, current.map(({ id }) => id)])
    if (this.#current?.purpose !== purpose) {
      const key = {
        keyId: randomBytes(16),
        key: generateKeySync('aes', { length: 128 }),
        iv: randomBytes(16),
      }
      this.#current = { key, purpose }
    }
    const limits = [...shown, ...events].flatMap((each) => [each.startsAt ?? 0, each.endsAt ?? 0])
    return {
      key: this.#current.key,
      until: Math.min(latest, (period + 1) * keyMs, ...limits.filter((time) => time > startsAt)),
    }
  }

  /** Returns whether a TrackSet begins another layout, so that viewers cannot go back to the time before it. */
  async #beginsLayout(document: TrackSet, layout: Layout, isSlate: boolean): Promise<boolean> {
    if (isWider(document, layout)) return true
    // The layout of a slate that was there before any signal is a guess.
    return !isSlate && !(await this.hasSignal()) && !covers(document, layout)
  }
}

/**
 * Returns a layout, extended for a TrackSet. Additional sounds get new slots. A segment that is longer than all earlier
 * segments raises the target duration, which players read again. Returns the same object if the layout already fits.
 *
 * @param layout null for a new layout
 * @throws UnfitSegmentError
 */
function layoutFor(document: TrackSet, layout: Layout | null): Layout {
  const begun = layout ?? { slots: [], targetDurationSeconds: LIVE_SEGMENT_SECONDS }
  return fit(growLayout(begun, document), document)
}

/** Returns whether a TrackSet has a picture and all sounds of a layout, if the layout has them. */
function covers({ renditions }: TrackSet, { slots }: Layout): boolean {
  return slots.every(
    ({ kind, id }) =>
      kind === 'text' ||
      renditions.some((rendition) => rendition.kind === kind && (kind === 'video' || rendition.id === id)),
  )
}

/**
 * Returns whether a TrackSet adds the first picture or the first sound to a channel. One layout cannot show both
 * the media before and the media after this. So a new layout begins, and viewers cannot go back to the time
 * before.
 */
function isWider({ renditions }: TrackSet, { slots }: Layout): boolean {
  const has = (kind: Slot['kind']): boolean => slots.some((slot) => slot.kind === kind)
  return renditions.some(({ kind }) => kind !== 'text' && !has(kind))
}

/**
 * Rejects a segment that ends too far in the future. Usually its source's clock is too fast. If the media before it
 * already ends in the future, the clock of this machine was too fast when that media was stored.
 *
 * @throws UnfitSegmentError
 */
function requireArrived(startsAt: number, durationMs: number, arrivedAt: number): void {
  if (startsAt - arrivedAt > AHEAD_MS)
    throw new UnfitSegmentError(
      `the clock of this machine went back. Media is stored again from ${new Date(startsAt).toISOString()}`,
    )
  const additionalMs = Math.max(0, durationMs - LIVE_SEGMENT_SECONDS * 1000)
  if (startsAt + durationMs - arrivedAt > AHEAD_MS + additionalMs)
    throw new UnfitSegmentError('the clock of the source is faster than ours')
}

function jointOf(last: LastSet | undefined, startsAt: number, continues: boolean): Joint {
  if (continues) return 'continuous'
  return last && last.endsAt < startsAt ? 'gap' : 'break'
}

/** Returns `layout`, if necessary with a longer target duration. @throws UnfitSegmentError */
function fit(layout: Layout, document: TrackSet): Layout {
  try {
    mapOnto(layout, document)
    return layout
  } catch (error) {
    if (!(error instanceof TimelineError)) throw error
    const { targetDurationSeconds } = layoutOfChannel([document])
    if (error.code === 'segment-too-long' && targetDurationSeconds > layout.targetDurationSeconds)
      return { ...layout, targetDurationSeconds }
    throw new UnfitSegmentError(error.message, { cause: error })
  }
}

/** Returns the duration of a segment, in milliseconds, rounded up. */
export function millisecondsOf({ tracks: [clock] }: Cut): number {
  return clock ? Math.ceil((clock.durationTicks * 1000) / clock.format.track.timescale) : 0
}

/**
 * Minimum duration of a usual segment, in milliseconds. A shorter segment ended early at a splice. Less than
 * `LIVE_SEGMENT_SECONDS`, because key frames may be a little early.
 */
const USUAL_MS = LIVE_SEGMENT_SECONDS * 900

/**
 * Returns the usual duration of an input's segments, in milliseconds. Ignores a segment that ended early at a
 * splice, because its duration does not predict when the next segment is due.
 *
 * @param durationMs duration of the newest segment
 * @param before the result for the previous segment
 */
export function usualMilliseconds(durationMs: number, before: number): number {
  return durationMs < USUAL_MS ? before : durationMs
}
