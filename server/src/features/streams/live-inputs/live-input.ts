import type { Context } from '../../../context.ts'
import type { Cut } from '../../../ingest/live/cutter.ts'
import { type CutArrival, Feed, SILENCE_MS } from '../../../ingest/live/feed.ts'
import type { Keeper, KeptInput } from '../../../ingest/live/keeper.ts'
import { kindOf, readSource, withoutSecrets } from '../../../ingest/live/live-source.ts'
import type { SourceHeaders } from '../../../ingest/live/source-request.ts'
import { isErrno } from '../../../is-errno.ts'
import { StoreError } from '../../../segments/segment-store.ts'
import type { AddressStatus, InputStatus } from '../../inventory/line-up/input-status.ts'
import { AddressSignal, isHeard, type Side, sideToShow } from './address-signal.ts'
import { LiveRecorder, millisecondsOf, UnfitSegmentError } from './live-recorder.ts'
import { Slate, type SlateParts } from './slate.ts'
import { openerOf } from './source-opener.ts'

/** The input of a channel. */
export interface InputRow {
  id: number
  channelId: number
  address: string
  spareAddress: string | null
  /** Heights of the picture's renditions, highest first; null for one rendition of any size. */
  ladder: number[] | null
  /** HTTP headers that the provider of the main address expects. */
  headers: SourceHeaders
}

/** Dependencies that the inputs of a process share. */
export interface ReceiverParts {
  /** Id of this process among the processes that are connected to the database. */
  holder: string
  /** Id of the database. After a restore, for example, another database may use the same folder. */
  installation: string
  /** Runs the ffmpegs of this machine, also while the service restarts. */
  keeper: Keeper
}

type Parts = SlateParts & Pick<Context, 'db' | 'settings' | 'clock'>

/**
 * Maximum number of segments that wait to be stored. More would mean that the disk or the database is too slow.
 */
const MOST_WAITING = 20
/** Minimum interval between two log lines about lost segments, in milliseconds. */
const LOG_MS = 60_000
/** Pause before storing the slate again after a failure, in milliseconds. */
const FILL_PAUSE_MS = 5000
/** Interval over which bit rates are measured, in milliseconds. */
const FIGURES_MS = 10_000

/** One address of an input. Both addresses of an input are received all the time. */
interface Line {
  feed: Feed
  kept: KeptInput
  /** Bytes received until some earlier times, for the bit rate. */
  marks: { at: number; bytes: number }[]
  /**
   * The newest segments of this address. After a switch, they fill the time in which the other address was silent.
   */
  recent: Arrived[]
  signal: AddressSignal
  /** Whether the silence of this address was logged. */
  isReported: boolean
  /** Number of segments that were complete late. */
  lateSegments: number
}

/** A segment with its arrival. */
interface Arrived {
  cut: Cut
  arrival: CutArrival
}

/** A segment is late if its delay exceeds this fraction of its duration. */
const LATE_PART = 0.5

/** An older segment is dropped if it overlaps the newest stored segment by more than this, in milliseconds. */
const OVERLAP_MS = 500

/**
 * Receives a live input until it is stopped. The spare address takes over while the main address is silent. While both
 * are silent, viewers see a slate.
 */
export class LiveInput {
  readonly row: InputRow
  readonly #parts: Parts
  readonly #receiver: ReceiverParts
  readonly #recorder: LiveRecorder
  readonly #slate: Slate
  readonly #stopping = new AbortController()
  readonly #lines: { main: Line; spare: Line | undefined }
  readonly #running: Promise<unknown>
  readonly #beganAt: number
  #active: Side = 'main'
  #activeSince: number | null = null
  /**
   * Whether the next segment to arrive does not continue the previous one: the source has changed, or a segment was
   * lost.
   */
  #isBroken = true
  /**
   * Whether the next segment in the queue does not continue the stored media: the slate was stored, or a segment was
   * not stored.
   */
  #isInterrupted = false
  #waiting = 0
  #storing = Promise.resolve()
  #stored: { at: number; bytes: number }[] = []
  #lostSegments = 0
  #trouble: string | null = null
  /** When the slate may be stored again after a failure, in milliseconds since the Unix epoch. */
  #fillableAt = 0
  /** When a lost segment was last logged, by `performance.now()`, and the number of segments lost since then. */
  #lostLoggedAt = -Infinity
  #lostUnlogged = 0

  constructor(parts: Parts, row: InputRow, receiver: ReceiverParts) {
    this.row = row
    this.#parts = parts
    this.#receiver = receiver
    this.#beganAt = parts.clock.now()
    this.#recorder = new LiveRecorder(parts, row.channelId, {
      inputId: row.id,
      holder: receiver.holder,
    })
    this.#slate = new Slate(parts, this.#recorder, this.#beganAt)
    try {
      this.#lines = {
        main: this.#line('main', row.address),
        spare: row.spareAddress === null ? undefined : this.#line('spare', row.spareAddress),
      }
    } catch (error) {
      // Releases the stream key that the other address may have claimed.
      this.#stopping.abort(error)
      throw error
    }
    const { main, spare } = this.#lines
    this.#running = Promise.all([main.feed.run(), spare?.feed.run()])
  }

  /** Stops receiving, and ends the TrackSet. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the input is stopped'))
    await this.#running
    await this.#storing
    await this.#recorder.close()
  }

  /**
   * Stops as `stop` does, but leaves ffmpeg running for the next process that receives the input, which may be this
   * one.
   */
  async leave(): Promise<void> {
    const { main, spare } = this.#lines
    for (const line of [main, spare]) line?.kept.leave()
    await this.stop()
    // A release that reaches the keeper after the next reader has connected would store its segment twice.
    await this.#receiver.keeper.settled()
  }

  /** Detects silence, and switches between the addresses. Called several times a second. */
  look(): void {
    const now = this.#parts.clock.now()
    for (const side of ['main', 'spare'] as const) this.#listen(side, now)
    if (this.#waiting === 0 && now >= this.#fillableAt) this.#enqueue(async () => await this.#fill(now))
    const { main, spare } = this.#lines
    if (!spare) return
    const side = sideToShow(this.#active, { main: main.signal, spare: spare.signal }, this.#beganAt, now)
    if (side !== this.#active) this.#switch(side)
  }

  /** The kinds of the input's addresses, in words. */
  get kinds(): { main: string; spare: string | undefined } {
    const { address, spareAddress } = this.row
    return {
      main: kindOf(readSource(address)),
      spare: spareAddress === null ? undefined : kindOf(readSource(spareAddress)),
    }
  }

  /** Returns the status of the input for operators. */
  status(): InputStatus {
    const now = this.#parts.clock.now()
    const { main, spare } = this.#lines
    this.#stored = this.#stored.filter(({ at }) => now - at < FIGURES_MS)
    const bytes = this.#stored.reduce((sum, each) => sum + each.bytes, 0)
    return {
      at: now,
      active: this.#lines[this.#active]?.signal.isSilent === false ? this.#active : null,
      activeSince: this.#activeSince,
      main: addressStatus(main, now),
      spare: spare ? addressStatus(spare, now) : null,
      bitsOut: Math.round((bytes * 8 * 1000) / FIGURES_MS),
      lostSegments: this.#lostSegments,
      trouble: this.#trouble,
    }
  }

  #line(side: Side, address: string): Line {
    const { clock, settings } = this.#parts
    const { keeper, installation } = this.#receiver
    const source = readSource(address)
    const headers = side === 'main' ? this.row.headers : {}
    const kept = keeper.input(`${installation}-${this.row.id}-${side}`)
    const feed = new Feed({
      source,
      ladder: this.row.ladder,
      open: openerOf(source, headers, settings.OUTBOUND_ALLOW),
      kept,
      onCut: (cut, arrival) => this.#receive(side, { cut, arrival }),
      onFault: (error) =>
        this.#parts.log.error({ err: error, ...this.#describe(side) }, 'a live input cannot be received'),
      onTeletextFault: (error) =>
        this.#parts.log.error(
          { err: error, ...this.#describe(side) },
          'the teletext of a live input cannot be decoded',
        ),
      now: () => clock.now(),
      signal: this.#stopping.signal,
    })
    return {
      feed,
      kept,
      marks: [],
      recent: [],
      signal: new AddressSignal(),
      isReported: false,
      lateSegments: 0,
    }
  }

  #listen(side: Side, now: number): void {
    const line = this.#lines[side]
    if (!line) return
    const { signal, feed } = line
    const wasSilent = signal.isSilent
    signal.listen(feed.state, now)
    const { isSilent } = signal
    const isLasting =
      isHeard(feed.state, now) || now - Math.max(feed.state.heardAt ?? 0, this.#beganAt) >= SILENCE_MS
    if (isSilent && isLasting && !line.isReported) {
      line.isReported = true
      this.#parts.log.warn(this.#describe(side), 'a live input is silent')
    }
    if (isSilent === wasSilent) return
    if (!isSilent) {
      line.isReported = false
      this.#parts.log.info(this.#describe(side), 'a live input is heard')
    }
    if (side === this.#active) this.#activeSince = isSilent ? null : now
  }

  /** Returns an address for the log, without secrets. */
  #describe(side: Side): { channelId: number; side: Side; address: string } {
    const { channelId, address, spareAddress } = this.row
    return { channelId, side, address: withoutSecrets((side === 'main' ? address : spareAddress) ?? '') }
  }

  #switch(side: Side): void {
    this.#active = side
    this.#activeSince = this.#parts.clock.now()
    this.#isBroken = true
    this.#parts.log.warn(this.#describe(side), 'a live input changed to its other address')
    const line = this.#lines[side]
    if (line) for (const arrived of line.recent) this.#store(line, arrived, true)
  }

  #receive(side: Side, arrived: Arrived): void {
    const line = this.#lines[side]
    if (!line) return
    const { at } = arrived.arrival
    const durationMs = millisecondsOf(arrived.cut)
    const { cutAt } = line.signal
    if (cutAt > 0 && at - cutAt > durationMs * (1 + LATE_PART)) line.lateSegments++
    line.signal.cut(durationMs, at)
    if (this.#lines.spare !== undefined) line.recent = newest([...line.recent, arrived], this.#overdueMs())
    if (side === this.#active) this.#store(line, arrived, false)
    else arrived.arrival.release()
  }

  /** Returns the time until a missing segment of either address is noticed, in milliseconds. */
  #overdueMs(): number {
    const { main, spare } = this.#lines
    return Math.max(main.signal.overdueMs, spare?.signal.overdueMs ?? 0)
  }

  /**
   * Stores a segment after the waiting segments. `isOlder` means that the segment arrived before its address became
   * active.
   */
  #store(line: Line, { cut, arrival }: Arrived, isOlder: boolean): void {
    if (this.#waiting >= MOST_WAITING) {
      this.#isBroken = true
      this.#lose(new UnfitSegmentError('segments arrive faster than the disk or the database stores them'))
      return
    }
    // Decided now: waiting segments belong to the source that was active when they arrived.
    const isContinuous = cut.isContinuous && !this.#isBroken
    this.#isBroken = false
    this.#enqueue(async () => {
      try {
        await this.#append(line, { cut, arrival }, isOlder, isContinuous)
      } catch (error) {
        if (this.#stopping.signal.aborted) return
        this.#isInterrupted = true
        this.#lose(error)
      }
    })
  }

  async #append(
    line: Line,
    { cut, arrival }: Arrived,
    isOlder: boolean,
    isContinuous: boolean,
  ): Promise<void> {
    const arrivedAt = arrival.at
    const end = (await this.#recorder.endsAt()) ?? 0
    if (isOlder && arrivedAt - millisecondsOf(cut) < end - OVERLAP_MS) {
      this.#isInterrupted = true
      return
    }
    const whole = await this.#slate.completed(cut, arrivedAt)
    try {
      await this.#recorder.append({ ...whole, isContinuous: isContinuous && !this.#isInterrupted }, arrivedAt)
    } catch (error) {
      if (error instanceof UnfitSegmentError) line.signal.shown(false, arrivedAt)
      throw error
    }
    arrival.release()
    line.signal.shown(true, arrivedAt)
    this.#isInterrupted = false
    this.#slate.end()
    this.#trouble = null
    this.#stored.push({ at: arrivedAt, bytes: bytesOf(cut) })
  }

  /** Stores the slate if a segment is overdue and no usable media arrives. */
  async #fill(now: number): Promise<void> {
    const line = this.#lines[this.#active]
    // Before the first segment, it is not known how long a segment takes.
    const mayBecomeSegment = ({ signal, feed }: Line) =>
      !signal.isUnfit && (signal.steadyFrom !== null || (signal.cutAt === 0 && isHeard(feed.state, now)))
    const isArriving = line !== undefined && mayBecomeSegment(line)
    try {
      if (!(await this.#slate.fill(now, isArriving))) return
      this.#isInterrupted = true
      this.#trouble = null
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#fillableAt = now + FILL_PAUSE_MS
      this.#isInterrupted = true
      this.#report(error, 'the slate of a silent input could not be stored')
    }
  }

  /** Runs the tasks of the channel one after another. A task must not reject. */
  #enqueue(work: () => Promise<void>): void {
    this.#waiting++
    this.#storing = this.#storing.then(work).finally(() => this.#waiting--)
  }

  /** Counts and reports a segment of the input that is not stored. */
  #lose(error: unknown): void {
    this.#lostSegments++
    this.#lostUnlogged++
    this.#report(error, 'a live segment was lost')
  }

  /**
   * Reports that media could not be stored. Logs it at most once a minute for each input: a full disk loses every
   * segment of every input.
   */
  #report(error: unknown, message: string): void {
    this.#trouble = troubleOf(error)
    const now = performance.now()
    if (now - this.#lostLoggedAt < LOG_MS) return
    const { channelId } = this.row
    this.#parts.log.error({ err: error, channelId, lost: this.#lostUnlogged }, message)
    this.#lostLoggedAt = now
    this.#lostUnlogged = 0
  }
}

/** Returns the newest of the segments that together last at least `ms`; all if they are shorter. */
function newest(arrived: readonly Arrived[], ms: number): Arrived[] {
  let first = arrived.length
  for (let sum = 0; first > 0 && sum < ms; first--) {
    const each = arrived[first - 1]
    sum += each ? millisecondsOf(each.cut) : 0
  }
  return arrived.slice(first)
}

function troubleOf(error: unknown): string {
  if (error instanceof UnfitSegmentError || error instanceof StoreError) return error.message
  return isErrno(error, 'ENOSPC') ? 'the disk is full' : 'a segment could not be stored'
}

function bytesOf({ tracks }: Cut): number {
  return tracks.flatMap(({ samples }) => samples).reduce((sum, { data }) => sum + data.length, 0)
}

function addressStatus({ feed: { state }, marks, lateSegments }: Line, now: number): AddressStatus {
  const { bytes, heardAt, counts, restarts, encoded, lower, left, format, trouble } = state
  marks.push({ at: now, bytes })
  while (marks.length > 1 && now - (marks[0]?.at ?? 0) > FIGURES_MS) marks.shift()
  const [first = { at: now, bytes }] = marks
  return {
    bitsIn: now > first.at ? Math.round(((bytes - first.bytes) * 8000) / (now - first.at)) : 0,
    heardAt,
    ...counts,
    lateSegments,
    restarts,
    encoded,
    lower,
    left,
    format,
    trouble,
  }
}
