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
  /** The tracks. The first track is the input's clock: the picture, or else the first sound. */
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

/** Usual length of a segment, in seconds. A segment ends before the first key frame after that. */
export const LIVE_SEGMENT_SECONDS = 2
/**
 * Least length of a segment that ends early at the edge of a break, in seconds. It contains some frames of sound.
 */
const SHORTEST_SECONDS = 0.2
/** Tolerance for early key frames, in seconds: encoders round times. */
const EARLY_SECONDS = 0.1
/** Step between two video frames, in seconds, above which the clock has jumped. */
const JUMP_SECONDS = 1
/**
 * How long missing sound is awaited, in seconds by the picture's times. After that, silence replaces the sound.
 */
const PATIENCE_SECONDS = 1
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
  /** Whether the media from now on must not be cut, see `PictureChangeError`. */
  #isUnfit = false
  #tracks: Track[] = []
  #clock: Track | undefined
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
   */
  constructor(beside: Beside = { subtitles: null, splices: null }, acceptsPicture = false) {
    this.#beside = beside
    this.#acceptsPicture = acceptsPicture
  }

  /**
   * Adds the next part of the stream, and returns the segments that it completes.
   *
   * @throws FormatError if a track must be encoded first; PictureChangeError if ffmpeg should read the stream again;
   * CutError if the media cannot be cut
   */
  push(part: StreamPart): Cut[] {
    // Only now, because the previous call returned the segments before the change.
    if (this.#isUnfit)
      throw new PictureChangeError('the picture is not progressive, of 8 bits and 4:2:0 any more')
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
    const video = tracks.filter(({ kind }) => kind === 'video').slice(0, 1)
    const audio = tracks.filter(({ kind }) => kind === 'audio').slice(0, MOST_SOUNDS)
    this.#tracks = [...video, ...audio].map((track) => ({
      format: formatOf(track),
      pending: [],
      nextTicks: 0,
      usualTicks: 0,
    }))
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
    // Drops sound that repeats an earlier time.
    else if (passed !== undefined && passed <= 0) return
    // Ignores single deviations: the last sample of a fragment may have another duration.
    if (sample.duration >= LEAST_TICKS && sample.duration === last?.duration)
      track.usualTicks = sample.duration
    if (track.pending.length === 0 && track === this.#clock && !sample.isSync) return
    track.pending.push(sample)
    this.#bytes += sample.data.length
    this.#limit(track)
  }

  #limit(track: Track): void {
    if (track !== this.#clock && track.pending.length > MOST_PENDING) this.#shiftOut(track, 1)
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
    if (!clock || this.#isUnfit) return undefined
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
    const sounds = this.#tracks.filter((track) => track !== clock)
    for (const sound of sounds) {
      const has = (sound.pending.at(-1)?.decodeTime ?? -1) >= inTicksOf(sound, endTicks, timescale)
      if (!has && newest - endTicks < PATIENCE_SECONDS * timescale) return undefined
    }
    // ffmpeg does not end when a source changes its codec. A single bad key frame is possibly just damaged, so two
    // bad key frames in a row are required.
    const isPicture = clock.format.track.kind === 'video'
    if (isPicture && !isAvcPicture(first.data) && !isAvcPicture(next.data))
      throw new CutError('the picture is not H.264 any more')
    const tracks = [
      this.#cutClock(clock, end, endTicks),
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
      this.#isUnfit = !this.#acceptsPicture && clock.format.isPlain === true && changed.isPlain === false
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
