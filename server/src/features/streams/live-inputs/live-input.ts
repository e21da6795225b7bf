import type { Context } from '../../../context.ts'
import { type Cut, LIVE_SEGMENT_SECONDS } from '../../../ingest/live/cutter.ts'
import { type CutArrival, Feed, SILENCE_MS } from '../../../ingest/live/feed.ts'
import type { Keeper } from '../../../ingest/live/keeper.ts'
import { kindOf, readSource, withoutSecrets } from '../../../ingest/live/live-source.ts'
import type { SourceHeaders } from '../../../ingest/live/source-request.ts'
import { isErrno } from '../../../is-errno.ts'
import { StoreError } from '../../../segments/segment-store.ts'
import type { AddressStatus, InputStatus } from '../../inventory/line-up/input-status.ts'
import { LiveRecorder, millisecondsOf, UnfitSegmentError, usualMilliseconds } from './live-recorder.ts'
import { Slate, type SlateParts } from './slate.ts'
import { openerOf } from './source-opener.ts'

/** The input of a channel. */
export interface InputRow {
  id: number
  channelId: number
  address: string
  spareAddress: string | null
  /** HTTP headers that the provider of the main address expects. */
  headers: SourceHeaders
}

/** Dependencies that the inputs of a process share. */
export interface ReceiverParts {
  /** Id of this process among those that are connected to the database. */
  holder: string
  /** Id of the database. Another one may use the same folder, such as after a restore. */
  installation: string
  /** Keeps the ffmpegs of this machine. */
  keeper: Keeper
}

type Parts = SlateParts & Pick<Context, 'db' | 'settings' | 'clock'>

/** Segments that wait to be stored. More mean that the disk or the database cannot keep up. */
const MOST_WAITING = 20
/** The main address becomes active again after it has been steady for this long, in milliseconds. */
const STEADY_MS = 60_000
/**
 * At the start, the spare address may be heard first. The main address becomes active at once if it is heard within this
 * time, in milliseconds.
 */
const START_MS = 10_000
/** An address that gives nothing to store for this long counts as silent, in milliseconds. */
const USELESS_MS = 5000
/** Lost segments are logged at most this often, in milliseconds. */
const LOG_MS = 60_000
/** Interval of the figures in bits per second, in milliseconds. */
const FIGURES_MS = 10_000

type Side = 'main' | 'spare'

/** One address of an input, which is received all the time. */
interface Line {
  feed: Feed
  /** Bytes at earlier times, for the bit rate. */
  marks: { at: number; bytes: number }[]
  /** Its newest segments. They fill the time until a silence of the other line is detected. */
  recent: Arrived[]
  isSilent: boolean
  /** Whether its silence was logged. */
  isReported: boolean
  /** When its newest segment was complete, in milliseconds since the Unix epoch. */
  cutAt: number
  /** How long its segments usually are, in milliseconds. */
  cutMs: number
  /** Segments that were complete late. */
  lateSegments: number
  /**
   * Arrival of the first and of the latest segment that the channel cannot show; null if the channel can show its
   * segments.
   */
  unfit: { since: number; last: number } | null
}

/** A segment with its arrival. */
interface Arrived {
  cut: Cut
  arrival: CutArrival
}

/** A segment is late if its delay exceeds this fraction of its length. */
const LATE_PART = 0.5

/** Number of segments in `recent`. They last longer than the detection of a silence takes. */
const MOST_RECENT = 4
/** An older segment is not stored if it overlaps the newest stored segment by more than this, in milliseconds. */
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
  /** When a lost segment was last logged, by `performance.now()`, and how many were lost since. */
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
      // The other address may have claimed a stream key.
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

  /** Notices silence, and changes to the other address. Called several times a second. */
  look(): void {
    const now = this.#parts.clock.now()
    for (const side of ['main', 'spare'] as const) this.#listen(side, now)
    if (this.#waiting === 0) this.#enqueue(async () => await this.#fill(now))
    const { main, spare } = this.#lines
    if (!spare) return
    if (this.#active === 'main' && main.isSilent && !spare.isSilent) this.#switch('spare')
    const { steadySince } = main.feed.state
    const hasJustBegun = steadySince !== null && steadySince - this.#beganAt < START_MS
    const isSteady = steadySince !== null && (hasJustBegun || now - steadySince >= STEADY_MS)
    if (this.#active === 'spare' && !main.isSilent && (isSteady || spare.isSilent)) this.#switch('main')
  }

  /** The kinds of its addresses, in words. */
  get kinds(): { main: string; spare: string | undefined } {
    const { address, spareAddress } = this.row
    return {
      main: kindOf(readSource(address)),
      spare: spareAddress === null ? undefined : kindOf(readSource(spareAddress)),
    }
  }

  /** Returns what operators see. */
  status(): InputStatus {
    const now = this.#parts.clock.now()
    const { main, spare } = this.#lines
    this.#stored = this.#stored.filter(({ at }) => now - at < FIGURES_MS)
    const bytes = this.#stored.reduce((sum, each) => sum + each.bytes, 0)
    return {
      at: now,
      active: this.#lines[this.#active]?.isSilent === false ? this.#active : null,
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
    const feed = new Feed({
      source,
      open: openerOf(source, headers, settings.OUTBOUND_ALLOW),
      kept: keeper.input(`${installation}-${this.row.id}-${side}`),
      onCut: (cut, arrival) => this.#receive(side, { cut, arrival }),
      onFault: (error) =>
        this.#parts.log.error({ err: error, ...this.#describe(side) }, 'a live input cannot be received'),
      now: () => clock.now(),
      signal: this.#stopping.signal,
    })
    return {
      feed,
      marks: [],
      recent: [],
      isSilent: true,
      isReported: false,
      cutAt: 0,
      cutMs: LIVE_SEGMENT_SECONDS * 1000,
      lateSegments: 0,
      unfit: null,
    }
  }

  #listen(side: Side, now: number): void {
    const line = this.#lines[side]
    if (!line) return
    const { heardAt, steadySince } = line.feed.state
    // When its source ends, ffmpeg writes the rest of its output. This does not count as heard.
    const isHeard = heardAt !== null && steadySince !== null && now - heardAt < SILENCE_MS
    const isSilent = !isHeard || isUseless(line, steadySince, now)
    const isLasting = isHeard || now - Math.max(heardAt ?? 0, this.#beganAt) >= SILENCE_MS
    if (isSilent && isLasting && !line.isReported) {
      line.isReported = true
      this.#parts.log.warn(this.#describe(side), 'a live input is silent')
    }
    if (isSilent === line.isSilent) return
    line.isSilent = isSilent
    if (!isSilent) {
      line.isReported = false
      this.#parts.log.info(this.#describe(side), 'a live input is heard')
    }
    if (side === this.#active) this.#activeSince = isSilent ? null : now
  }

  /** Describes an address for the log. */
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
    const cutMs = millisecondsOf(arrived.cut)
    if (line.cutAt > 0 && at - line.cutAt > cutMs * (1 + LATE_PART)) line.lateSegments++
    line.cutAt = at
    line.cutMs = usualMilliseconds(arrived.cut, line.cutMs)
    if (this.row.spareAddress !== null) line.recent = [...line.recent.slice(1 - MOST_RECENT), arrived]
    if (side === this.#active) this.#store(line, arrived, false)
    else arrived.arrival.release()
  }

  /** Stores a segment after the waiting segments. `isOlder` says that it arrived before its line became active. */
  #store(line: Line, { cut, arrival }: Arrived, isOlder: boolean): void {
    const arrivedAt = arrival.at
    if (this.#waiting >= MOST_WAITING) {
      this.#lostSegments++
      this.#isBroken = true
      return
    }
    // Segments that wait belong to the source that was on the air when they arrived.
    const isContinuous = cut.isContinuous && !this.#isBroken
    this.#isBroken = false
    this.#enqueue(async () => {
      const end = (await this.#recorder.endsAt()) ?? 0
      if (isOlder && arrivedAt - millisecondsOf(cut) < end - OVERLAP_MS) {
        this.#isInterrupted = true
        return
      }
      const whole = await this.#slate.completed(cut, arrivedAt)
      try {
        await this.#recorder.append(
          { ...whole, isContinuous: isContinuous && !this.#isInterrupted },
          arrivedAt,
        )
      } catch (error) {
        if (error instanceof UnfitSegmentError)
          line.unfit = { since: line.unfit?.since ?? arrivedAt, last: arrivedAt }
        throw error
      }
      arrival.release()
      line.unfit = null
      this.#isInterrupted = false
      this.#slate.end()
      this.#trouble = null
      this.#stored.push({ at: arrivedAt, bytes: bytesOf(cut) })
    })
  }

  /** Shows the slate if no segment came when one was due. */
  async #fill(now: number): Promise<void> {
    if (await this.#slate.fill(now)) this.#isInterrupted = true
  }

  /** Works on the channel, one task after the other. */
  #enqueue(work: () => Promise<void>): void {
    this.#waiting++
    this.#storing = this.#workAfter(this.#storing, work)
  }

  async #workAfter(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before
    try {
      await work()
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#lostSegments++
      this.#isInterrupted = true
      this.#trouble = troubleOf(error)
      this.#logLost(error)
    } finally {
      this.#waiting--
    }
  }

  /**
   * Logs a lost segment. A full disk loses every segment of every input, so there is one line a minute for each input.
   */
  #logLost(error: unknown): void {
    this.#lostUnlogged++
    const now = performance.now()
    if (now - this.#lostLoggedAt < LOG_MS) return
    const { channelId } = this.row
    this.#parts.log.error({ err: error, channelId, lost: this.#lostUnlogged }, 'a live segment was lost')
    this.#lostLoggedAt = now
    this.#lostUnlogged = 0
  }
}

function troubleOf(error: unknown): string {
  if (error instanceof UnfitSegmentError || error instanceof StoreError) return error.message
  return isErrno(error, 'ENOSPC') ? 'the disk is full' : 'a segment could not be stored'
}

/**
 * Returns whether an address that is heard gives nothing to store: no segment is complete, or the channel cannot show
 * them. After a while, such segments may have another format, so they are tried again.
 */
function isUseless({ cutAt, cutMs, unfit }: Line, heardSince: number, now: number): boolean {
  if (now - Math.max(cutAt, heardSince) >= cutMs + USELESS_MS) return true
  return unfit !== null && now - unfit.since >= USELESS_MS && now - unfit.last < STEADY_MS
}

function bytesOf({ tracks }: Cut): number {
  return tracks.flatMap(({ samples }) => samples).reduce((sum, { data }) => sum + data.length, 0)
}

function addressStatus({ feed: { state }, marks, lateSegments }: Line, now: number): AddressStatus {
  const { bytes, heardAt, counts, restarts, encoded, left, format, trouble } = state
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
    left,
    format,
    trouble,
  }
}
