import type { Splice } from '@ondine/media/track-set'
import type { Cue } from '../subtitles.ts'
import { AvcError, isAvcPicture } from './avc.ts'
import type { Sample, SourceTrack, StreamPart } from './fragments.ts'
import { MOST_SOUNDS } from './output-plan.ts'
import { silentFrame } from './silence.ts'
import type { Splices } from './splices.ts'
import { changedFormat, formatOf, type TrackFormat } from './track-format.ts'

/** A track's part of a segment. */
export interface CutTrack {
  format: TrackFormat
  /**
   * Decode time of the first sample, in ticks of the track. Consecutive segments of a track join without a gap.
   */
  startTicks: number
  durationTicks: number
  samples: Sample[]
}

/** A segment of a live input: the same period of every track, beginning with a key frame. */
export interface Cut {
  /** Whether the segment directly follows the previous one, in the same formats. */
  isContinuous: boolean
  /**
   * The tracks: the renditions of the picture, largest first, and the sounds. The first track is the input's clock. A
   * lower rendition of the picture may be missing.
   */
  tracks: CutTrack[]
  /** The segment's subtitles, one entry for each subtitle track. */
  texts: CutText[]
  splices: Splice[]
}

/** The subtitles of a segment, of one track. */
export interface CutText {
  /** Id of the track, unique in its input. */
  id: string
  /** Language by ISO 639-2/T; `und` if the source does not state it. */
  language: string
  /** Whether the subtitles are meant for the deaf. */
  captions: boolean
  /** Distinguishes tracks of the same language and kind; usually empty. */
  label: string
  /** The cues, with times on the picture's timeline. */
  cues: Cue[]
}

/** The subtitles and splices of an input. The feed adds them as they arrive. */
export interface Beside {
  subtitles: { take(startSeconds: number, endSeconds: number): CutText[] } | null
  splices: Splices | null
}

/** Counts of the faults that a cutter has found, for display. The counts only grow. */
export interface CutterCounts {
  /** Frames of the picture that did not arrive. */
  lostFrames: number
  /** Jumps of the source's clock. */
  jumps: number
  /** Frames of silence that replace missing sound. */
  silentFrames: number
}

interface Track {
  format: TrackFormat
  /** Samples that are not yet in a segment. */
  pending: Sample[]
  /** Decode time at which the next segment begins, in ticks. */
  nextTicks: number
  /** Usual duration of a sample, in ticks. */
  usualTicks: number
}

/** A lower rendition of the picture. It is cut at the times at which the clock is cut. */
interface Rung extends Track {
  /** Number of the next segments that go without this rendition. */
  rests: number
}

/** Usual length of a segment, in seconds. A segment ends before the first key frame after that. */
export const LIVE_SEGMENT_SECONDS = 2
/**
 * Least length of a segment that ends early at the edge of a break, in seconds. It contains some frames of sound.
 */
const SHORTEST_SECONDS = 0.2
/** Tolerance for early key frames, in seconds: encoders round times. */
const EARLY_SECONDS = 0.1
/** Step between two video frames, in seconds, above which the clock has jumped. */
export const JUMP_SECONDS = 1
/**
 * How long missing sound is awaited, in seconds by the picture's times. After that, silence replaces the sound.
 */
const PATIENCE_SECONDS = 1
/**
 * How long a lower rendition of the picture is awaited: in seconds, and in frames, because an encoder holds frames back.
 * After that, the segment goes without it.
 */
const RUNG_PATIENCE = { seconds: 3, frames: 50 }
/**
 * Number of segments for which a missing lower rendition stays out. Each change of the renditions is a discontinuity for
 * players.
 */
const RUNG_RESTS = 30
/** Maximum difference between the times of one frame in two renditions, in seconds: encoders round times. */
const SAME_FRAME_SECONDS = 0.004
/** Maximum number of renditions of the picture. */
const MOST_PICTURES = 8
/** Samples in a frame of AAC-LC. */
const AAC_FRAME_SAMPLES = 1024
/** Least duration of a sample that counts as the usual one, in ticks. */
const LEAST_TICKS = 64
/** Maximum time without a key frame, in seconds. A source without one for longer is refused. */
export const LONGEST_SEGMENT_SECONDS = 20
/** Maximum number of sound samples that wait for the picture. Older ones are dropped. */
const MOST_PENDING = 2000
/** Maximum number of picture samples that wait for a key frame: 20 s at 300 frames per second. */
const MOST_SAMPLES = 6000
/** Maximum bytes of all waiting samples. */
const MOST_BYTES = 64 * 1024 * 1024

/** Thrown for a source whose media cannot be cut. */
export class CutError extends Error {
  override name = 'CutError'
}

/** Thrown when the picture changes within the stream, and possibly has to be encoded from now on. */
export class PictureChangeError extends CutError {
  override name = 'PictureChangeError'
}

/**
 * Cuts a live input into segments. Depends on the stream only and not on the time, so the caller must notice gaps
 * in the arrival of data.
 */
export class Cutter {
  readonly counts: CutterCounts = { lostFrames: 0, jumps: 0, silentFrames: 0 }
  readonly #beside: Beside
  readonly #acceptsPicture: boolean
  readonly #hasLadder: boolean
  /** Why the media from now on must not be cut, see `PictureChangeError`. */
  #unfit: string | undefined
  #tracks: Track[] = []
  #clock: Track | undefined
  #rungs: Rung[] = []
  /**
   * Constant added to the decode times of the picture, so that the decode time of a key frame is its presentation
   * time.
   */
  #shift: number | undefined
  #isContinuous = false
  /** Bytes of all samples that are not yet in a segment. */
  #bytes = 0
  /** Number of pending samples of the clock track that cannot begin the next segment. */
  #searched = 0

  /** Time of the clock track's newest pending sample, in seconds; undefined if no sample is pending. */
  get newestSeconds(): number | undefined {
    const clock = this.#clock
    const newest = clock?.pending.at(-1)
    if (!clock || !newest) return undefined
    return (newest.decodeTime + (this.#shift ?? 0)) / clock.format.track.timescale
  }

  /**
   * @param beside subtitles and splices, which are cut at the same times as the picture
   * @param acceptsPicture whether the picture may change to any kind of H.264 within the stream
   * @param hasLadder whether the renditions of the picture depend on its size
   */
  constructor(
    beside: Beside = { subtitles: null, splices: null },
    acceptsPicture = false,
    hasLadder = false,
  ) {
    this.#beside = beside
    this.#acceptsPicture = acceptsPicture
    this.#hasLadder = hasLadder
  }

  /** Sizes of the lower renditions that the next segment goes without, because they were missing. */
  get missing(): string[] {
    return this.#rungs
      .filter(({ rests }) => rests > 0)
      .map(({ format: { width, height } }) => `${width}x${height}`)
  }

  /** Returns whether a track is a rendition of the picture, and which: the first one or a lower one. */
  renditionOf(trackId: number): 'first' | 'lower' | undefined {
    const isTrack = ({ format: { track } }: Track): boolean => track.id === trackId
    if (this.#rungs.some(isTrack)) return 'lower'
    return this.#tracks.find(isTrack)?.format.track.kind === 'video' ? 'first' : undefined
  }

  /**
   * Adds the next part of the stream, and returns the segments that it completes.
   *
   * @throws FormatError if a track must be encoded first; PictureChangeError if ffmpeg should read the stream again;
   * CutError if the media cannot be cut
   */
  push(part: StreamPart): Cut[] {
    // Only now, because the previous call returned the segments before the change.
    if (this.#unfit !== undefined) throw new PictureChangeError(this.#unfit)
    if (part.kind === 'header') {
      this.#begin(part.tracks)
      return []
    }
    const track = this.#tracks.find(({ format }) => format.track.id === part.trackId)
    if (!track) return []
    for (const sample of part.samples) this.#take(track, sample)
    const cuts: Cut[] = []
    for (let cut = this.#cut(); cut !== undefined; cut = this.#cut()) cuts.push(cut)
    return cuts
  }

  #begin(tracks: readonly SourceTrack[]): void {
    const [picture, ...lower] = tracks.filter(({ kind }) => kind === 'video').slice(0, MOST_PICTURES)
    const audio = tracks.filter(({ kind }) => kind === 'audio').slice(0, MOST_SOUNDS)
    const trackOf = (track: SourceTrack): Track => ({
      format: formatOf(track),
      pending: [],
      nextTicks: 0,
      usualTicks: 0,
    })
    this.#rungs = lower.map((track) => ({ ...trackOf(track), rests: 0 }))
    const others = audio.map(trackOf)
    this.#tracks = [...(picture ? [trackOf(picture)] : []), ...this.#rungs, ...others]
    this.#clock = this.#tracks[0]
    if (!this.#clock) throw new CutError('the source has neither picture nor sound')
    this.#restart()
  }

  #restart(): void {
    for (const track of this.#tracks) track.pending = []
    this.#shift = undefined
    this.#isContinuous = false
    this.#bytes = 0
    this.#searched = 0
  }

  /** Removes the oldest samples of a track, and returns them. */
  #shiftOut(track: Track, count: number): Sample[] {
    const taken = track.pending.splice(0, count)
    for (const { data } of taken) this.#bytes -= data.length
    if (track === this.#clock) this.#searched = 0
    return taken
  }

  #take(track: Track, sample: Sample): void {
    const last = track.pending.at(-1)
    const passed = last && sample.decodeTime - last.decodeTime
    if (track === this.#clock && passed !== undefined) {
      if (passed <= 0 || passed > JUMP_SECONDS * track.format.track.timescale) {
        this.counts.jumps++
        this.#restart()
      } else if (track.format.track.kind === 'video' && track.usualTicks > 0) {
        this.counts.lostFrames += Math.max(0, Math.round(passed / track.usualTicks) - 1)
      }
    }
    // Drops a lower rendition before a jump of the clock, and sound that repeats an earlier time.
    else if (passed !== undefined && passed <= 0) {
      if (track.format.track.kind === 'audio') return
      this.#shiftOut(track, track.pending.length)
    }
    // Ignores single deviations: the last sample of a fragment may have another duration.
    if (sample.duration >= LEAST_TICKS && sample.duration === last?.duration)
      track.usualTicks = sample.duration
    const isPicture = track === this.#clock || track.format.track.kind === 'video'
    if (track.pending.length === 0 && isPicture && !sample.isSync) return
    track.pending.push(sample)
    this.#bytes += sample.data.length
    this.#limit(track)
  }

  #limit(track: Track): void {
    const most = track.format.track.kind === 'video' ? MOST_SAMPLES : MOST_PENDING
    if (track !== this.#clock && track.pending.length > most) this.#shiftOut(track, 1)
    if (this.#bytes > MOST_BYTES) throw new CutError('a segment of the source is larger than 64 MB')
    if (track !== this.#clock) return
    const [first, last] = [track.pending[0], track.pending.at(-1)]
    if (!first || !last) return
    if (track.pending.length > MOST_SAMPLES)
      throw new CutError(`the source had no key frame in ${MOST_SAMPLES} frames`)
    if (last.decodeTime - first.decodeTime > LONGEST_SEGMENT_SECONDS * track.format.track.timescale)
      throw new CutError(`the source had no key frame for ${LONGEST_SEGMENT_SECONDS} s`)
  }

  /** Returns the next segment; undefined until all of its media has arrived. */
  #cut(): Cut | undefined {
    const clock = this.#clock
    if (!clock || this.#unfit !== undefined) return undefined
    const [first] = clock.pending
    if (!first) return undefined
    const { timescale } = clock.format.track
    if (this.#shift === undefined) {
      this.#shift = first.offset
      clock.nextTicks = first.decodeTime + first.offset
    }
    const end = this.#search(clock.pending, this.#endsFrom(first, this.#shift, timescale))
    const next = clock.pending[end]
    if (!next) return undefined
    const endTicks = next.decodeTime + this.#shift
    const newest = (clock.pending.at(-1)?.decodeTime ?? 0) + this.#shift
    const sounds = this.#tracks.filter((track) => track !== clock && track.format.track.kind === 'audio')
    for (const sound of sounds) {
      const has = (sound.pending.at(-1)?.decodeTime ?? -1) >= inTicksOf(sound, endTicks, timescale)
      if (!has && newest - endTicks < PATIENCE_SECONDS * timescale) return undefined
    }
    const period = { from: first.decodeTime + first.offset, until: next.decodeTime + next.offset }
    const pictures = this.#findRungs(clock, period, newest - endTicks)
    if (!pictures) return undefined
    // ffmpeg does not end when a source changes its codec. A single bad key frame is possibly just damaged, so two
    // bad key frames in a row are required.
    const isPicture = clock.format.track.kind === 'video'
    if (isPicture && !isAvcPicture(first.data) && !isAvcPicture(next.data))
      throw new CutError('the picture is not H.264 any more')
    const top = this.#cutClock(clock, end, endTicks)
    const tracks = [
      top,
      ...pictures.map(({ rung, count }) => this.#cutRung(rung, count, top)),
      ...sounds.map((sound) =>
        this.#cutSound(
          sound,
          inTicksOf(sound, clock.nextTicks, timescale),
          inTicksOf(sound, endTicks, timescale),
        ),
      ),
    ]
    clock.nextTicks = endTicks
    if (tracks.some(({ samples }) => samples.length === 0))
      throw new CutError('a sound stopped, and cannot be replaced by silence')
    const [{ startTicks, durationTicks }] = tracks as [CutTrack, ...CutTrack[]]
    const from = startTicks / timescale
    const until = from + durationTicks / timescale
    const { subtitles, splices } = this.#beside
    const cut = {
      isContinuous: this.#isContinuous,
      tracks,
      texts: subtitles?.take(from, until) ?? [],
      splices: splices?.take(from, until) ?? [],
    }
    this.#isContinuous = !this.#changeFormat(clock, next)
    return cut
  }

  /**
   * Returns a function that tells whether the segment that begins with `first` may end before a sample. It may end
   * once it has the usual length. At the edge of a break, the shortest length is enough.
   */
  #endsFrom(first: Sample, shift: number, timescale: number): (next: Sample) => boolean {
    const { splices } = this.#beside
    const usual = (LIVE_SEGMENT_SECONDS - EARLY_SECONDS) * timescale
    const shortest = SHORTEST_SECONDS * timescale
    return ({ decodeTime }) => {
      const passed = decodeTime - first.decodeTime
      return (
        passed >= usual ||
        (passed >= shortest && splices !== null && splices.isEdge((decodeTime + shift) / timescale))
      )
    }
  }

  /**
   * Returns the index of the first key frame before which the segment may end. Continues after the samples that an
   * earlier call has examined.
   */
  #search(pending: readonly Sample[], ends: (next: Sample) => boolean): number {
    let index = Math.max(this.#searched, 1)
    for (let next = pending[index]; next; next = pending[++index]) if (next.isSync && ends(next)) break
    this.#searched = index
    return index
  }

  /**
   * Adopts the format that a key frame declares. If the new picture may have to be encoded, cuts no further segment:
   * ffmpeg decides that when it reads the stream again.
   *
   * @returns whether the format has changed
   */
  #changeFormat(clock: Track, next: Sample): boolean {
    if (clock.format.track.kind !== 'video') return false
    try {
      const changed = changedFormat(clock.format, next.data)
      if (!changed) return false
      const { isPlain, width, height } = clock.format
      if (this.#acceptsPicture) this.#unfit = undefined
      else if (isPlain === true && changed.isPlain === false)
        this.#unfit = 'the picture is not progressive, of 8 bits and 4:2:0 any more'
      else if (this.#hasLadder && (width !== changed.width || height !== changed.height))
        this.#unfit = 'the picture has another size'
      clock.format = changed
      this.#shift = undefined
      return true
    } catch (error) {
      // The key frame is damaged. A change of format then shows at the next key frame.
      if (error instanceof AvcError) return false
      throw error
    }
  }

  #cutClock(clock: Track, end: number, endTicks: number): CutTrack {
    const shift = this.#shift ?? 0
    const taken = this.#shiftOut(clock, end)
    const samples = joined(taken, (clock.pending[0] as Sample).decodeTime).map((sample) => ({
      ...sample,
      decodeTime: sample.decodeTime + shift,
      offset: sample.offset - shift,
    }))
    const startTicks = samples[0]?.decodeTime ?? endTicks
    return { format: clock.format, startTicks, durationTicks: endTicks - startTicks, samples }
  }

  /**
   * Finds the lower renditions of the next segment. A rendition that is missing stays out for some time.
   *
   * @param period presentation times of the key frames with which this segment and the next one begin, in ticks of the
   * clock
   * @param waited how long the segment has been complete in the clock, in ticks
   * @returns the renditions with their numbers of samples; undefined while one of them is awaited
   */
  #findRungs(
    clock: Track,
    period: { from: number; until: number },
    waited: number,
  ): { rung: Rung; count: number }[] | undefined {
    const { timescale } = clock.format.track
    const patience = Math.max(RUNG_PATIENCE.seconds * timescale, RUNG_PATIENCE.frames * clock.usualTicks)
    const found = this.#rungs.map((rung) => ({ rung, count: this.#countOf(rung, period, timescale) }))
    const isAwaited = found.some(({ rung, count }) => rung.rests === 0 && count === undefined)
    if (isAwaited && waited < patience) return undefined
    return found.flatMap(({ rung, count = 0 }) => {
      const isResting = rung.rests > 0
      if (isResting) rung.rests--
      // A rendition may begin with a later key frame than the clock.
      else if (count === 0 && this.#isContinuous) rung.rests = RUNG_RESTS
      return isResting || count === 0 ? [] : [{ rung, count }]
    })
  }

  /**
   * Returns how many samples of a lower rendition make up a period. Drops older samples.
   *
   * @returns 0 if the rendition lacks one of the two key frames; undefined while they may still arrive
   */
  #countOf(rung: Rung, period: { from: number; until: number }, timescale: number): number | undefined {
    const most = SAME_FRAME_SECONDS * rung.format.track.timescale
    const [from, until] = [inTicksOf(rung, period.from, timescale), inTicksOf(rung, period.until, timescale)]
    const isKeyFrom =
      (time: number) =>
      ({ isSync, decodeTime, offset }: Sample): boolean =>
        isSync && decodeTime + offset >= time - most
    const begin = rung.pending.findIndex(isKeyFrom(from))
    this.#shiftOut(rung, begin < 0 ? rung.pending.length : begin)
    const [first] = rung.pending
    if (!first) return undefined
    if (first.decodeTime + first.offset > from + most) return 0
    const count = rung.pending.findIndex(isKeyFrom(until))
    const next = rung.pending[count]
    if (!next) return undefined
    return next.decodeTime + next.offset <= until + most ? count : 0
  }

  /**
   * Removes the samples of a lower rendition for the period of the clock. Each frame keeps its presentation time. The
   * decode times are spaced evenly, because those of an encoder depend on the frames around them.
   */
  #cutRung(rung: Rung, count: number, clock: CutTrack): CutTrack {
    const { timescale } = clock.format.track
    const startTicks = inTicksOf(rung, clock.startTicks, timescale)
    const durationTicks = inTicksOf(rung, clock.startTicks + clock.durationTicks, timescale) - startTicks
    const timeAt = (index: number): number => startTicks + Math.round((index * durationTicks) / count)
    const samples = this.#shiftOut(rung, count).map((sample, index) => ({
      ...sample,
      decodeTime: timeAt(index),
      offset: sample.decodeTime + sample.offset - timeAt(index),
      duration: timeAt(index + 1) - timeAt(index),
    }))
    return { format: rung.format, startTicks, durationTicks, samples }
  }

  /** Removes the sound of a segment from the pending samples, and fills gaps with silence. */
  #cutSound(sound: Track, startTicks: number, endTicks: number): CutTrack {
    const step = sound.usualTicks || AAC_FRAME_SAMPLES
    const silent = silentFrame(sound.format.channels)
    const samples: Sample[] = []
    let at = this.#isContinuous ? sound.nextTicks : startTicks
    const fillUntil = (until: number): void => {
      if (!silent) return
      for (; until - at >= step; at += step) {
        samples.push({ decodeTime: at, offset: 0, duration: step, isSync: true, data: silent })
        this.counts.silentFrames++
      }
    }
    for (let [next] = sound.pending; next && next.decodeTime < endTicks; [next] = sound.pending) {
      this.#shiftOut(sound, 1)
      // Skips sound before the segment, and sound that silence has already replaced.
      if (next.decodeTime < at - step / 2) continue
      fillUntil(next.decodeTime)
      if (samples.length > 0 || !this.#isContinuous) at = next.decodeTime
      samples.push({ ...next, decodeTime: at })
      at += step
    }
    const [next] = sound.pending
    if (!next || next.decodeTime - at >= step) fillUntil(endTicks)
    else if (samples.length > 0) at = Math.max(next.decodeTime, (samples.at(-1)?.decodeTime ?? 0) + 1)
    const begin = samples[0]?.decodeTime ?? at
    sound.nextTicks = at
    return {
      format: sound.format,
      startTicks: begin,
      durationTicks: at - begin,
      samples: joined(samples, at),
    }
  }
}

/** Converts ticks of the clock track to ticks of another track. */
function inTicksOf({ format }: Track, ticks: number, timescale: number): number {
  return Math.round((ticks * format.track.timescale) / timescale)
}

/** Returns the samples, each with a duration up to the next sample. */
function joined(samples: readonly Sample[], endTicks: number): Sample[] {
  return samples.map((sample, index) => ({
    ...sample,
    duration: (samples[index + 1]?.decodeTime ?? endTicks) - sample.decodeTime,
  }))
}
