import { isDeepStrictEqual } from 'node:util'
import { OutboundError } from '../../outbound/fetch-outside.ts'
import { ProgramError, runProgram } from '../run-program.ts'
import { AvcError } from './avc.ts'
import {
  type Beside,
  type Cut,
  CutError,
  type CutTrack,
  Cutter,
  type CutterCounts,
  PictureChangeError,
} from './cutter.ts'
import { EncodingPace, LadderRest } from './encoding-pace.ts'
import { FragmentReader, StreamError, type StreamPart } from './fragments.ts'
import { type InputStream, StreamList, type StreamNews } from './input-streams.ts'
import { type Arrival, type KeptInput, type LiveRun, TakenOverError } from './keeper.ts'
import { LIVE_LIMITS } from './kept-program.ts'
import {
  type FfmpegSource,
  type LiveSource,
  LONGER_PROBES,
  lastMessage,
  sourceArguments,
  withProbe,
} from './live-source.ts'
import { copiesAll, type Forced, OFFSET_SECONDS, type OutputPlan, planOutput } from './output-plan.ts'
import { PacketList } from './packet-list.ts'
import { LiveSourceError } from './source-error.ts'
import type { SourceRequest } from './source-request.ts'
import { Splices } from './splices.ts'
import { TeletextDecoder } from './teletext-decoder.ts'
import { FormatError, type TrackFormat } from './track-format.ts'

/** Statistics and faults of a feed. */
export interface FeedState {
  /** When data last arrived, in milliseconds since the Unix epoch; null if no data ever arrived. */
  heardAt: number | null
  /**
   * Since when data has arrived without a silence, in milliseconds since the Unix epoch; null during a silence.
   */
  steadySince: number | null
  /** Number of bytes received. */
  bytes: number
  /** How often ffmpeg ended and was restarted. */
  restarts: number
  /** Description of the current fault; null if there is no fault. */
  trouble: string | null
  /** The kinds of tracks that are encoded, because their format is unsuitable for viewers. */
  encoded: ('video' | 'audio')[]
  /** Sizes of the lower renditions of the picture, which are always encoded. */
  lower: string[]
  /** Descriptions of the streams and renditions that are not used. */
  left: string[]
  /**
   * Description of the received format, and the time of its first segment in milliseconds since the Unix epoch.
   * Null before the first segment.
   */
  format: { text: string; since: number } | null
  counts: CutterCounts
}

/** Time without data that counts as a silence, in milliseconds. */
export const SILENCE_MS = 3000

/** Pauses before restarting a program that ended early, in milliseconds, from the first to the longest. */
const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
/** Run time after which a program is restarted after the shortest pause, in milliseconds. */
const LASTING_MS = 10_000

/**
 * Maximum time for which media may arrive without yielding a segment, in milliseconds. After this time, ffmpeg is
 * restarted to read the streams of the source again, because the source may have changed them.
 */
const USELESS_MS = 15_000

/** Interval at which a source is checked for silence, in milliseconds. */
const LOOK_MS = 500

/**
 * ffmpeg reads some seconds ahead to recognise the streams, and then writes all of that media at once. The first
 * pause of this length in its output marks the end of that media, in milliseconds.
 */
const READ_AHEAD_PAUSE_MS = 30

/** Text that `inputs status` shows for an unexpected error. The log contains the details. */
const FAULT = 'a fault of this program, which is in its log'

const ENDED = 'the source ended'

/** Text that `inputs status` shows while the lower renditions rest. */
const TOO_SLOW =
  'lower renditions of the picture: this machine is too slow to encode them, and tries again later'

const NOTHING: Forced = { video: false, audio: false }

/** Least time between two restarts of ffmpeg that read the streams again, in milliseconds. */
const LOOK_AGAIN_MS = 60_000
/**
 * Least time between restarts for a declared stream whose first data arrived. Longer, because such a stream may send
 * only now and then, and each restart interrupts the others.
 */
const LOOK_FOR_AWAITED_MS = 10 * 60_000

/**
 * Maximum number of restarts in a row for another plan. After that many restarts, ffmpeg keeps its plan, even if
 * another plan would fit better.
 */
const MOST_CHANGES = 4

/** The source of one run of ffmpeg: a source that ffmpeg opens, or a request for the keeper to open one. */
export type Opening = ({ source: FfmpegSource } | { request: SourceRequest }) & {
  /**
   * The run ends if no data arrives for this long, in milliseconds. Omitted for sources that end by themselves.
   */
  mostSilentMs?: number
}

/** Options of a feed. */
export interface FeedOptions {
  source: LiveSource
  /** Heights of the picture's renditions, see `LADDER_HEIGHTS`; null for one rendition of any size. */
  ladder?: readonly number[] | null
  /**
   * Called before each start of ffmpeg. May wait until the source sends. May throw the reason why the source must
   * not be opened now.
   */
  open: () => Promise<Opening>
  /** The kept ffmpeg, which outlives this process. If omitted, ffmpeg ends with this process. */
  kept?: KeptInput
  /** Receives the segments, in order. */
  onCut: (cut: Cut, arrival: CutArrival) => void
  /**
   * Receives an unexpected error, one without a message for operators, when it first occurs. The source is then
   * retried.
   */
  onFault: (error: unknown) => void
  /**
   * Receives the first error in each run of ffmpeg with which a decoder of teletext could not be started. The
   * input goes on without these subtitles, and the start is tried again.
   */
  onTeletextFault: (error: unknown) => void
  now: () => number
  signal: AbortSignal
}

/** The arrival of a segment. */
export interface CutArrival {
  /** When the segment was complete, in milliseconds since the Unix epoch. */
  at: number
  /** Must be called once the segment is stored, so that the keeper does not send it again. */
  release: () => void
}

/** Arrival of output that no keeper stores: its age is 0, and nothing has to be released. */
const AT_ONCE: Arrival = { ageMs: 0, release: () => undefined }

/** Receives a source until it is stopped, and restarts ffmpeg whenever ffmpeg ends. */
export class Feed {
  readonly state: FeedState = {
    heardAt: null,
    steadySince: null,
    bytes: 0,
    restarts: 0,
    trouble: null,
    encoded: [],
    lower: [],
    left: [],
    format: null,
    counts: { lostFrames: 0, jumps: 0, silentFrames: 0 },
  }
  readonly #options: FeedOptions
  /** The streams that the input had when it was last opened. */
  #streams: readonly InputStream[] | undefined
  #forced: Forced = NOTHING
  /**
   * How much ffmpeg reads before it lists the streams, in seconds; undefined for the usual time. Never becomes shorter,
   * because the key frames of this source are far apart.
   */
  #probeSeconds: number | undefined
  /**
   * Whether ffmpeg has read the source again because its picture changed. If ffmpeg still copies the picture, further
   * changes are accepted, because each restart interrupts the channel.
   */
  #hasReadAgain = false
  /** The rest of the lower renditions after this machine was too slow to encode them. */
  readonly #rest = new LadderRest()
  /** Descriptions of the streams that the plan leaves out. */
  #left: readonly string[] = []
  /** Formats of the newest segment. */
  #formats: readonly TrackFormat[] = []
  /** How often ffmpeg was restarted for another plan since the last segment. */
  #changes = 0
  /** When ffmpeg was last restarted to read the streams again, or was taken over from an earlier process. */
  #lookedAt = -Infinity
  /**
   * Whether ffmpeg was restarted because a data stream appeared. Done only once, because most data streams have no
   * splices, and some appear in each run.
   */
  #hasSoughtSplices = false
  /** When the newest segment was complete. */
  #cutAt = 0

  constructor(options: FeedOptions) {
    this.#options = options
  }

  /** Receives the source until the signal aborts. */
  async run(): Promise<void> {
    const { signal, now, kept } = this.#options
    let pause = FIRST_PAUSE_MS
    while (!signal.aborted) {
      const begun = now()
      const end = await this.#receive()
      if (signal.aborted) break
      if (end !== 'unfit') this.#forget(begun)
      this.state.restarts++
      if (end === 'fault') pause = LONGEST_PAUSE_MS
      else if (end === 'unfit' || now() - begun > LASTING_MS) pause = FIRST_PAUSE_MS
      await sleep(pause, signal)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
    kept?.release()
  }

  /**
   * Forgets which tracks had to be encoded, what was too slow and whether the picture changed, because the next source
   * may have another format. Does nothing if no data has arrived since `begun`: then no other source has sent yet.
   */
  #forget(begun: number): void {
    if ((this.state.heardAt ?? 0) < begun) return
    this.#forced = NOTHING
    this.#hasReadAgain = false
    this.#rest.end(this.#options.now())
    this.#changes = 0
  }

  /** Runs ffmpeg once. @returns `unfit` if ffmpeg should be restarted at once with another plan */
  async #receive(): Promise<'ended' | 'unfit' | 'fault'> {
    const { source, open, signal, onFault, onTeletextFault, kept } = this.#options
    const stopped = new AbortController()
    const list = new StreamList()
    const news = { isOutdated: false, hasNewData: false, hasAwaited: false }
    let watching: NodeJS.Timeout | undefined
    let subtitles: TeletextDecoder | null = null
    let fault: unknown
    const stopOn = (work: () => void): void => {
      if (fault !== undefined) return
      try {
        work()
      } catch (error) {
        fault = error
        stopped.abort(error)
      }
    }
    try {
      const opening = await open()
      const look = this.#watcher(opening)
      watching = setInterval(() => stopOn(() => look(news)), LOOK_MS)
      // The messages of a running kept ffmpeg list the streams, so this process computes the same plan and can
      // continue with it.
      if (kept && !this.#streams) this.#continue(await kept.messages())
      const plan = this.#plan()
      const { teletext = null, splices: index = null } = plan ?? {}
      subtitles = teletext && new TeletextDecoder(teletext.language, onTeletextFault)
      const splices = index === null ? null : new Splices(OFFSET_SECONDS)
      const packets = plan?.picture?.encoding ? new PacketList() : null
      const take = this.#taker({ subtitles, splices }, packets)
      const run: LiveRun = {
        start: {
          ...('request' in opening
            ? { request: opening.request, plan }
            : { arguments: sourceArguments(opening.source, plan) }),
          probeSeconds: this.#probeSeconds,
        },
        signal: AbortSignal.any([signal, stopped.signal]),
        onOutput: (chunk, arrival) => stopOn(() => take(chunk, arrival)),
        sideOutputs: [
          (chunk) => subtitles?.push(chunk),
          (chunk) => splices?.push(chunk),
          (chunk) => packets?.push(chunk),
        ],
        onMessages: (text) =>
          stopOn(() => {
            const { streams, ...found } = list.push(text)
            news.isOutdated ||= found.isOutdated
            news.hasNewData ||= found.hasNewData
            news.hasAwaited ||= found.hasAwaited
            if (splices && list.startSeconds !== null) splices.startTicks = list.startSeconds * 90_000
            if (streams) this.#follow(streams, plan)
          }),
      }
      await (kept ? kept.run(run) : runHere(run))
      this.state.trouble = ENDED
    } catch (error) {
      if (signal.aborted) return 'ended'
      if (error instanceof OtherPlan) return 'unfit'
      if (error instanceof FormatError && !this.#forced[error.kind]) {
        this.#forced = { ...this.#forced, [error.kind]: true }
        return 'unfit'
      }
      if (error instanceof PictureChangeError) {
        this.#hasReadAgain = true
        return 'unfit'
      }
      if (error instanceof TakenOverError) {
        // Another process now receives the input. This process will soon learn that, and will then stop this feed.
        this.state.trouble = error.message
        return 'fault'
      }
      const trouble = troubleOf(error, source)
      if (trouble === undefined && this.state.trouble !== FAULT) onFault(error)
      this.state.trouble = trouble ?? FAULT
      if (trouble === undefined) return 'fault'
    } finally {
      this.state.steadySince = null
      clearInterval(watching)
      subtitles?.close()
    }
    return 'ended'
  }

  /**
   * Returns a function that throws if a run should end: because no data arrives any more, or because the streams
   * have changed since ffmpeg read them. After such a change, ffmpeg may write no output at all.
   */
  #watcher({ mostSilentMs = Infinity }: Opening): (news: Omit<StreamNews, 'streams'>) => void {
    const { now } = this.#options
    // A long reading is no silence.
    const openedAt = now() + (this.#probeSeconds ?? 0) * 1000
    return ({ isOutdated, hasNewData, hasAwaited }) => {
      const heardAt = Math.max(this.state.heardAt ?? 0, openedAt)
      if (now() - heardAt >= mostSilentMs) throw new LiveSourceError('nothing arrives that can be received')
      if (this.#rest.isOver(now())) throw new OtherPlan('the lower renditions are tried again')
      const isLasting = now() - openedAt > LASTING_MS
      const isOld = isLasting && (isOutdated || (hasNewData && !this.#hasSoughtSplices))
      if (
        ((isOld || this.#isUseless(now())) && this.#mayLookAgain(LOOK_AGAIN_MS)) ||
        (isLasting && hasAwaited && this.#mayLookAgain(LOOK_FOR_AWAITED_MS))
      ) {
        this.#hasSoughtSplices ||= hasNewData
        throw new OtherPlan('the streams may have changed')
      }
    }
  }

  /** Returns whether media has arrived for long without giving a segment. */
  #isUseless(now: number): boolean {
    const { heardAt, steadySince } = this.state
    if (heardAt === null || steadySince === null || now - heardAt >= SILENCE_MS) return false
    return now - Math.max(this.#cutAt, steadySince) >= USELESS_MS
  }

  /**
   * Adopts what an earlier process learnt from the messages of a running ffmpeg; none if none runs. The messages come
   * again, so they must not restart ffmpeg at each such handover.
   */
  #continue(messages: string): void {
    if (messages === '') return
    const { streams, hasNewData } = new StreamList().push(messages)
    this.#streams = streams
    this.#hasSoughtSplices = hasNewData
    this.#lookedAt = this.#options.now()
  }

  /** Returns the plan for the streams that the input last had; undefined to copy everything. */
  #plan(): OutputPlan | undefined {
    if (!this.#streams) return undefined
    const { ladder = null } = this.#options
    const isShort = ladder !== null && this.#rest.isResting
    const { plan, left } = planOutput(this.#streams, this.#forced, isShort ? ladder.slice(0, 1) : ladder)
    const { picture, sounds } = plan
    this.#left = isShort ? [...left, TOO_SLOW] : left
    this.state.left = [...this.#left]
    this.state.lower = (picture?.lower ?? []).map(({ width, height }) => `${width}x${height}`)
    this.state.encoded = [
      ...(picture?.encoding ? (['video'] as const) : []),
      ...(sounds.some(({ isEncoded }) => isEncoded) ? (['audio'] as const) : []),
    ]
    return copiesAll(plan, this.#streams) ? undefined : plan
  }

  /** Records the streams of the input. @throws OtherPlan if they need another plan than the current run's */
  #follow(streams: readonly InputStream[], followed: OutputPlan | undefined): void {
    this.#streams = streams
    const isSought = this.#seekKeyFrame(streams)
    if (!isSought && isDeepStrictEqual(this.#plan(), followed)) return
    // Limited, because a source may list other streams each time it is opened.
    if (++this.#changes <= MOST_CHANGES) throw new OtherPlan('the streams of the input are others')
  }

  /**
   * Lets the next run read for longer if a picture arrives, but no key frame that tells its size: ffmpeg cannot copy it.
   *
   * @returns whether the next run reads for longer than this one
   */
  #seekKeyFrame(streams: readonly InputStream[]): boolean {
    const hasKeyFrame = !streams.some(
      ({ kind, isSilent, picture }) => kind === 'video' && !isSilent && !picture,
    )
    const longer = LONGER_PROBES.find((seconds) => seconds > (this.#probeSeconds ?? 0))
    if (hasKeyFrame || longer === undefined) return false
    this.#probeSeconds = longer
    return true
  }

  /**
   * Returns whether ffmpeg may be restarted now to read the streams again, and records the restart. Restarts are
   * limited: a stream that appears and disappears must not interrupt the others each time.
   */
  #mayLookAgain(leastMs: number): boolean {
    const now = this.#options.now()
    if (now - this.#lookedAt < leastMs) return false
    this.#lookedAt = now
    return true
  }

  /** Records the format of a segment if it has changed. */
  #note({ tracks }: Cut, now: number): void {
    const formats = tracks.map(({ format }) => format)
    if (
      formats.length === this.#formats.length &&
      formats.every((format, index) => format === this.#formats[index])
    )
      return
    this.#formats = formats
    const text = inWords(tracks)
    if (text !== this.state.format?.text) this.state.format = { text, since: now }
  }

  /**
   * Returns a function that processes the output of one run of ffmpeg.
   *
   * @param packets the packets of the picture; null if the picture is copied
   */
  #taker(beside: Beside, packets: PacketList | null): (chunk: Buffer, arrival: Arrival) => void {
    const { onCut, now } = this.#options
    const { state } = this
    const reader = new FragmentReader()
    const cutter = new Cutter(beside, this.#hasReadAgain, (this.#options.ladder ?? null) !== null)
    const pace = new EncodingPace()
    const before = { ...state.counts }
    let packetBytes = 0
    /** Returns whether a track is an encoded picture. Its bytes do not come from the source. */
    const isMadeHere = (trackId: number): boolean => {
      const rendition = cutter.renditionOf(trackId)
      return rendition === 'lower' || (rendition === 'first' && packets !== null)
    }
    /** Releases the output up to the piece that completed the previous segment. */
    let { release: releaseBefore } = AT_ONCE
    /**
     * Functions that release all output up to a sample. The key is the data of the last sample in a piece of
     * output.
     */
    const releases = new WeakMap<Buffer, () => void>()
    /** The segments from ffmpeg's read-ahead, held back; null once all have arrived. */
    let ahead: { cut: Cut; arrival: CutArrival }[] | null = []
    /** When the newest output arrived, in milliseconds since the Unix epoch. */
    let newestAt = 0
    return (chunk, { ageMs, release }) => {
      const time = now()
      if (ahead && ahead.length > 0 && time - ageMs - newestAt >= READ_AHEAD_PAUSE_MS) {
        for (const { cut, arrival } of ahead)
          onCut(cut, {
            ...arrival,
            at: Math.min(arrival.at, completedAt(cut, cutter.newestSeconds, newestAt)),
          })
        ahead = null
      }
      newestAt = time - ageMs
      if (state.steadySince === null || time - (state.heardAt ?? 0) > SILENCE_MS) state.steadySince = time
      state.heardAt = time
      state.bytes += chunk.length
      for (const part of reader.push(chunk)) {
        if (part.kind === 'samples' && isMadeHere(part.trackId)) state.bytes -= bytesIn(part)
        const newest = part.kind === 'samples' ? part.samples.at(-1) : undefined
        if (newest) releases.set(newest.data, release)
        for (const cut of cutter.push(part)) {
          state.trouble = null
          this.#changes = 0
          this.#cutAt = time
          this.#note(cut, time)
          // ffmpeg begins a new fragment at each key frame. So releasing up to the last sample does not release
          // the next segment.
          const last = cut.tracks[0]?.samples.at(-1)
          const arrival = { at: newestAt, release: (last && releases.get(last.data)) ?? releaseBefore }
          releaseBefore = release
          if (ahead) ahead.push({ cut, arrival })
          else onCut(cut, arrival)
        }
      }
      state.left = [
        ...this.#left,
        ...cutter.missing.map((size) => `rendition ${size}: missing for a moment, and tried again soon`),
      ]
      const { newestSeconds } = cutter
      if (
        state.lower.length > 0 &&
        newestSeconds !== undefined &&
        pace.fallsBehind(newestSeconds, newestAt)
      ) {
        this.#rest.begin(time)
        throw new OtherPlan('the lower renditions cannot be encoded in time')
      }
      state.bytes += (packets?.bytes ?? 0) - packetBytes
      packetBytes = packets?.bytes ?? 0
      state.counts = {
        lostFrames: before.lostFrames + (packets ?? cutter.counts).lostFrames,
        jumps: before.jumps + (packets ?? cutter.counts).jumps,
        silentFrames: before.silentFrames + cutter.counts.silentFrames,
      }
    }
  }
}

/** Returns the size of the samples in a part of the stream, in bytes. */
function bytesIn({ samples }: Extract<StreamPart, { kind: 'samples' }>): number {
  return samples.reduce((sum, { data }) => sum + data.length, 0)
}

/** Runs an ffmpeg that ends together with this process. */
async function runHere({ start, onOutput, ...run }: LiveRun): Promise<void> {
  if ('request' in start) throw new LiveSourceError('the source needs a keeper')
  await runProgram({
    ...run,
    program: 'ffmpeg',
    arguments: withProbe(start.arguments, start.probeSeconds),
    limits: LIVE_LIMITS,
    isUrgent: true,
    onOutput: (chunk) => onOutput(chunk, AT_ONCE),
  })
}

/**
 * Returns when a segment from ffmpeg's read-ahead was complete at the source, in milliseconds since the Unix
 * epoch.
 *
 * @param newestSeconds time of the newest sample, which arrived at `newestAt`
 */
function completedAt({ tracks: [clock] }: Cut, newestSeconds: number | undefined, newestAt: number): number {
  if (!clock || newestSeconds === undefined) return newestAt
  const endSeconds = (clock.startTicks + clock.durationTicks) / clock.format.track.timescale
  return newestAt - Math.max(0, newestSeconds - endSeconds) * 1000
}

/** Describes the tracks of a segment: `1280x720, 640x360 at 50 frames/s, sound fra, eng`. */
function inWords(tracks: readonly CutTrack[]): string {
  const [clock] = tracks
  const sounds = tracks.filter(({ format }) => format.track.kind === 'audio')
  const languages = sounds.map(({ format: { track } }) => track.language)
  const parts = languages.length > 0 ? [`sound ${languages.join(', ')}`] : []
  if (clock?.format.track.kind === 'video') {
    const pictures = tracks.filter(({ format }) => format.track.kind === 'video')
    const sizes = pictures.map(({ format: { width, height } }) => `${width}x${height}`)
    const { timescale } = clock.format.track
    const rate = Number(((clock.samples.length * timescale) / clock.durationTicks).toFixed(2))
    parts.unshift(`${sizes.join(', ')} at ${rate} frames/s`)
  }
  return parts.join(', ')
}

/** Thrown to end a run of ffmpeg whose plan does not fit the streams. */
class OtherPlan extends Error {
  override name = 'OtherPlan'
}

/** Returns a description of an error for operators; undefined if the source did not cause the error. */
function troubleOf(error: unknown, source: LiveSource): string | undefined {
  if (error instanceof ProgramError)
    return lastMessage(error.tail, source) || (error.end === 'exit' ? ENDED : `ffmpeg: ${error.end}`)
  if (
    error instanceof FormatError ||
    error instanceof StreamError ||
    error instanceof CutError ||
    error instanceof AvcError ||
    error instanceof LiveSourceError ||
    error instanceof OutboundError
  )
    return error.message
  return undefined
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}
