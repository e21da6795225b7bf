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

/** What a slate has to look like, so that it fits the channel. */
export interface SlateShape {
  /** Null for a radio. */
  picture: { width: number; height: number; frameRate: number } | null
  hasSound: boolean
}

const FRAME_SAMPLES = 1024
const SOUND_CHANNELS = 2

const LIMITS = { wallSeconds: 60, memoryBytes: 2e9, outputBytes: 50e6 }

/** Names the colours of the picture, which players would otherwise guess from its size. */
const BT709 = commandLine`-colorspace bt709 -color_primaries bt709 -color_trc bt709`

/**
 * Encodes a still picture with silence, which viewers see while an input is silent.
 *
 * @param workFolder the folder of unfinished work, in which intermediates are written
 * @returns a function that gives the segment with a number, from 0. Their decode times run on.
 * @throws ProgramError
 */
export async function encodeSlate(
  shape: SlateShape,
  look: SlateLook,
  workFolder: string,
  signal: AbortSignal,
): Promise<(number: number) => Cut> {
  // The second key frame ends the first segment.
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
  { picture, hasSound }: SlateShape,
  file: string,
  seconds: number,
  signal: AbortSignal,
): Promise<(number: number) => Cut> {
  const bytes = await runProgram({
    program: 'ffmpeg',
    arguments: [
      ...commandLine`-nostdin -hide_banner -v error`,
      ...(picture ? commandLine`-loop 1 -framerate ${picture.frameRate} -t ${seconds} -i ${file}` : []),
      ...(hasSound ? commandLine`-f lavfi -t ${seconds} -i anullsrc=r=48000:cl=stereo` : []),
      ...(picture ? [...commandLine`-vf scale=out_color_matrix=bt709:out_range=tv`, ...BT709] : []),
      ...commandLine`-c:v libx264 -preset veryfast -tune stillimage -crf 14 -pix_fmt yuv420p -sc_threshold 0 -force_key_frames expr:gte(t,n_forced*${LIVE_SEGMENT_SECONDS})`,
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

/** Returns the segment with a number: the same picture at a later time, and as much silence. */
function repeated({ tracks }: Cut, number: number): Cut {
  const [clock] = tracks as [CutTrack, ...CutTrack[]]
  const later = number * clock.durationTicks
  return {
    isContinuous: number > 0,
    tracks: tracks.map((track) => {
      if (track.format.track.kind === 'audio') return silenceBeside(track, clock, number)
      return {
        ...track,
        startTicks: track.startTicks + later,
        samples: track.samples.map((sample) => ({ ...sample, decodeTime: sample.decodeTime + later })),
      }
    }),
  }
}

/** Returns silence of whole frames, as long as the picture on average. */
function silenceBeside(track: CutTrack, clock: CutTrack, number: number): CutTrack {
  const { timescale } = track.format.track
  const ticksEach = (clock.durationTicks * timescale) / clock.format.track.timescale
  const [from, to] = [number, number + 1].map((index) => Math.ceil((index * ticksEach) / FRAME_SAMPLES)) as [
    number,
    number,
  ]
  const data = silentFrame(SOUND_CHANNELS) ?? Buffer.alloc(0)
  const startTicks = track.startTicks + from * FRAME_SAMPLES
  return {
    ...track,
    startTicks,
    durationTicks: (to - from) * FRAME_SAMPLES,
    samples: Array.from({ length: to - from }, (_, index) => ({
      decodeTime: startTicks + index * FRAME_SAMPLES,
      offset: 0,
      duration: FRAME_SAMPLES,
      isSync: true,
      data,
    })),
  }
}
