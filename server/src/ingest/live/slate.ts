import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine } from '../command-line.ts'
import { runProgram } from '../run-program.ts'
import { makeWorkspace, removeWorkspace } from '../workspace.ts'
import { type Cut, type CutTrack, Cutter, LIVE_SEGMENT_SECONDS } from './cutter.ts'
import { FragmentReader } from './fragments.ts'
import { silentFrame } from './silence.ts'
import { drawSlate, type SlateLook } from './slate-picture.ts'
import type { TrackFormat } from './track-format.ts'

/** Properties of the channel that its slate must match. */
export interface SlateShape {
  /** Size and frame rate of the picture; null for a radio channel. */
  picture: { width: number; height: number; frameRate: number } | null
  /** Language of the channel's sound; null if the channel has no sound. */
  sound: string | null
}

const FRAME_SAMPLES = 1024
const SOUND_CHANNELS = 2

const LIMITS = { wallSeconds: 60, memoryBytes: 2e9, outputBytes: 50e6 }

/** Declares the colours of the picture. Without a declaration, players guess them from the size. */
const BT709 = commandLine`-colorspace bt709 -color_primaries bt709 -color_trc bt709`

/**
 * Encodes the slate: a still picture with silence, for the time while an input is silent.
 *
 * @param workFolder folder of unfinished work, for the intermediates
 * @returns a function that returns the segment with a number, from 0. The decode times of consecutive segments
 * follow on.
 * @throws ProgramError
 */
export async function encodeSlate(
  shape: SlateShape,
  look: SlateLook,
  workFolder: string,
  signal: AbortSignal,
): Promise<(number: number) => Cut> {
  // The first segment only ends at the second key frame, so the media must be longer than one segment.
  const seconds = 2 * LIVE_SEGMENT_SECONDS + 1
  const { picture } = shape
  const workspace = await makeWorkspace(workFolder, randomBytes(16).toString('hex'))
  const file = join(workspace.work, 'slate.png')
  try {
    if (picture) await writeFile(file, await drawSlate(look, picture))
    return await segmentsOf(shape, file, seconds, signal)
  } finally {
    await removeWorkspace(workspace)
  }
}

async function segmentsOf(
  { picture, sound }: SlateShape,
  file: string,
  seconds: number,
  signal: AbortSignal,
): Promise<(number: number) => Cut> {
  const bytes = await runProgram({
    // Urgent, because viewers wait for the slate while the input is silent.
    isUrgent: true,
    program: 'ffmpeg',
    arguments: [
      ...commandLine`-nostdin -hide_banner -v error`,
      ...(picture ? commandLine`-loop 1 -framerate ${picture.frameRate} -t ${seconds} -i ${file}` : []),
      ...(sound === null ? [] : commandLine`-f lavfi -t ${seconds} -i anullsrc=r=48000:cl=stereo`),
      ...(picture ? [...commandLine`-vf scale=out_color_matrix=bt709:out_range=tv`, ...BT709] : []),
      ...commandLine`-c:v libx264 -preset veryfast -tune stillimage -crf 14 -pix_fmt yuv420p -sc_threshold 0 -force_key_frames expr:gte(t,n_forced*${LIVE_SEGMENT_SECONDS})`,
      ...(sound === null ? [] : commandLine`-metadata:s:a:0 language=${sound}`),
      ...commandLine`-c:a aac -b:a 64k -video_track_timescale 90000 -output_ts_offset 10 -use_editlist 0`,
      ...commandLine`-movflags +delay_moov+empty_moov+default_base_moof+frag_keyframe -frag_duration 500000 -f mp4 pipe:1`,
    ],
    signal,
    limits: LIMITS,
  })
  const cutter = new Cutter()
  const [first] = new FragmentReader().push(bytes).flatMap((part) => cutter.push(part))
  if (!first) throw new RangeError('the slate has no segment')
  return (number) => repeated(first, number)
}

/** Returns the segment with a number: the same picture at a later time, with silence of the same length. */
function repeated({ tracks: [clock, ...others] }: Cut, number: number): Cut {
  if (!clock) throw new RangeError('the slate has no track')
  const startTicks = clock.startTicks + number * clock.durationTicks
  const place = { startTicks, durationTicks: clock.durationTicks, timescale: clock.format.track.timescale }
  const isSound = clock.format.track.kind === 'audio'
  return {
    isContinuous: number > 0,
    texts: [],
    splices: [],
    tracks: [
      isSound ? silenceAt(clock.format, place) : stillAt(clock, place),
      ...others.map(({ format }) => silenceAt(format, place)),
    ],
  }
}

/** Adds the tracks that a segment lacks: the slate's picture, or silence, each for the length of the segment. */
export function completed(cut: Cut, slate: Cut): Cut {
  const [clock] = cut.tracks
  if (!clock) return cut
  const { startTicks, durationTicks, format } = clock
  const place = { startTicks, durationTicks, timescale: format.track.timescale }
  const missing = slate.tracks.filter((track) =>
    cut.tracks.every((each) => each.format.track.kind !== track.format.track.kind),
  )
  const added = missing.map((track) =>
    track.format.track.kind === 'audio' ? silenceAt(track.format, place) : stillAt(track, place),
  )
  // The picture comes first, because the first track is the clock.
  const [first, second] = format.track.kind === 'video' ? [cut.tracks, added] : [added, cut.tracks]
  return { ...cut, tracks: [...first, ...second] }
}

/** A period of time, in ticks of `timescale`. */
interface Place {
  startTicks: number
  durationTicks: number
  timescale: number
}

/** Returns the slate's picture, stretched to a period. The results for consecutive periods join without a gap. */
function stillAt(track: CutTrack, { startTicks, durationTicks, timescale }: Place): CutTrack {
  const ticksAt = (ticks: number): number => Math.round((ticks * track.format.track.timescale) / timescale)
  const [start, end] = [ticksAt(startTicks), ticksAt(startTicks + durationTicks)]
  const scale = (end - start) / track.durationTicks
  const times = [
    ...track.samples.map(({ decodeTime }) => decodeTime - track.startTicks),
    track.durationTicks,
  ].map((ticks) => start + Math.round(ticks * scale))
  return {
    ...track,
    startTicks: start,
    durationTicks: end - start,
    samples: track.samples.map((sample, index) => ({
      ...sample,
      decodeTime: times[index] ?? start,
      duration: (times[index + 1] ?? end) - (times[index] ?? start),
      offset: Math.round(sample.offset * scale),
    })),
  }
}

/** Returns whole frames of silence for a period. The results for consecutive periods join without a gap. */
function silenceAt(format: TrackFormat, { startTicks, durationTicks, timescale }: Place): CutTrack {
  const frameAt = (ticks: number): number =>
    Math.ceil((ticks * format.track.timescale) / timescale / FRAME_SAMPLES)
  const [from, to] = [frameAt(startTicks), frameAt(startTicks + durationTicks)]
  const data = silentFrame(SOUND_CHANNELS) ?? Buffer.alloc(0)
  return {
    format,
    startTicks: from * FRAME_SAMPLES,
    durationTicks: (to - from) * FRAME_SAMPLES,
    samples: Array.from({ length: to - from }, (_, index) => ({
      decodeTime: (from + index) * FRAME_SAMPLES,
      offset: 0,
      duration: FRAME_SAMPLES,
      isSync: true,
      data,
    })),
  }
}
