import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { commandLine } from './command-line.ts'
import { inputOptions } from './input-options.ts'
import { AAC_FRAME, audioFrames, type PicturePlan, type Plan, type SoundPlan } from './plan.ts'
import type { Source } from './probe.ts'
import { programReason, runProgram } from './run-program.ts'

/** Progress of an ffmpeg run. */
interface EncodeProgress {
  /** 0 to 1. */
  done: number
  secondsLeft: number | null
}

/** A rendition before packaging: an MP4 file with one stream that begins at time 0. */
export interface Intermediate {
  id: string
  path: string
}

export interface EncodeRequest {
  source: Source
  plan: Plan
  /** Folder for the intermediates. */
  folder: string
  signal: AbortSignal
  onProgress: (progress: EncodeProgress) => void
}

/** Encodes all renditions of a source in one ffmpeg run, so that the source is read and decoded only once. */
export async function encode(request: EncodeRequest): Promise<Intermediate[]> {
  const { plan } = request
  const intermediates = [...plan.pictures, ...plan.sounds].map(({ id }) => ({
    id,
    path: join(request.folder, `${id}.mp4`),
  }))
  const report = progressReader(plan.durationSeconds, request.onProgress)
  try {
    await runProgram({
      program: 'ffmpeg',
      arguments: encodeArguments(request.source, plan, intermediates),
      signal: request.signal,
      limits: {
        wallSeconds: Math.max(900, plan.durationSeconds * 60),
        memoryBytes: 8e9,
        outputBytes: 1e9,
      },
      onOutput: report,
    })
  } catch (error) {
    throw programReason(error, 'encodingFailed')
  }
  return intermediates
}

/** Returns all arguments of ffmpeg. */
export function encodeArguments(
  source: Source,
  plan: Plan,
  intermediates: readonly Intermediate[],
): string[] {
  const videoStream = source.video.stream
  const target = (id: string): string => `file:${intermediates.find((one) => one.id === id)?.path ?? ''}`
  const graph = [...pictureFilters(videoStream, plan), ...soundFilters(plan)].join(';')
  return [
    ...commandLine`-nostdin -hide_banner -v error -y -progress pipe:1 -stats_period 0.5`,
    ...inputOptions(source.path, source.originSeconds),
    ...(graph === '' ? [] : ['-filter_complex', graph]),
    ...plan.pictures.flatMap((picture) => [
      ...(picture.how === 'copy' ? copiedPicture(videoStream, plan) : encodedPicture(picture, plan)),
      // Drops the source's tags and chapters. Times begin at 0 without an edit list, because not every player
      // honours edit lists.
      ...commandLine`-map_metadata -1 -map_chapters -1 -movflags +negative_cts_offsets`,
      ...commandLine`-video_track_timescale ${plan.timescale} -f mp4 ${target(picture.id)}`,
    ]),
    ...plan.sounds.flatMap((sound) => [
      ...(sound.how === 'copy' ? copiedSound(sound, plan) : encodedSound(sound)),
      ...commandLine`-map_metadata -1 -map_chapters -1 -use_editlist 0 -avoid_negative_ts make_zero`,
      ...commandLine`-f mp4 ${target(sound.id)}`,
    ]),
  ]
}

function encodedPicture({ id, quality, maxRate }: PicturePlan, plan: Plan): string[] {
  const group = plan.framesPerSegment % 2 === 0 ? plan.framesPerSegment / 2 : plan.framesPerSegment
  return [
    ...commandLine`-map [${id}] -c:v libx264 -preset veryfast -profile:v high -threads ${threads()}`,
    ...commandLine`-crf ${quality} -maxrate ${maxRate} -bufsize ${maxRate * 2}`,
    // Key frames at equal distances and nowhere else: each segment of every rendition must begin with a key frame.
    ...commandLine`-g ${group} -keyint_min ${group} -sc_threshold 0`,
  ]
}

/**
 * Copies a video stream. Moves the time of each frame to an exact multiple of the frame duration, because containers
 * with times in milliseconds round frame times.
 */
function copiedPicture(stream: number, plan: Plan): string[] {
  const ticks = (plan.timescale * plan.frameRate.denominator) / plan.frameRate.numerator
  const snap = (time: string) => `round((${time}-STARTPTS)*TB*${plan.timescale}/${ticks})*${ticks}`
  return [
    ...commandLine`-map 0:${stream} -c:v copy -frames:v ${plan.frames} -time_base 1/${plan.timescale}`,
    ...commandLine`-bsf:v setts=pts=${snap('PTS')}:dts=${snap('DTS')}:duration=${ticks}`,
  ]
}

function encodedSound({ id }: SoundPlan): string[] {
  return commandLine`-map [${id}] -c:a aac -b:a 128k -threads 1`
}

/**
 * Copies an audio stream. Drops its frames before the beginning and after the end of the video. Sets the times of the
 * remaining frames so that each begins where the previous one ends, because the stream has no gaps.
 */
function copiedSound({ stream, sampleRate }: SoundPlan, plan: Plan): string[] {
  const time = `N*${AAC_FRAME}`
  const before = `noise=drop=lt(pts\\,${-AAC_FRAME / 2})`
  const endToEnd = `setts=pts=${time}:dts=${time}:duration=${AAC_FRAME}`
  const after = `noise=drop=gte(pts\\,${audioFrames(plan.durationSeconds, sampleRate) * AAC_FRAME})`
  return [
    ...commandLine`-map 0:${stream} -c:a copy -time_base 1/${sampleRate}`,
    ...commandLine`-bsf:a ${before},${endToEnd},${after}`,
  ]
}

function pictureFilters(stream: number, plan: Plan): string[] {
  const encoded = plan.pictures.filter(({ how }) => how === 'encode')
  const largest = encoded[0]
  if (largest === undefined) return []
  const { numerator, denominator } = plan.frameRate
  const source = [
    ...(plan.deinterlace ? ['bwdif=mode=send_frame'] : []),
    `fps=${numerator}/${denominator}:start_time=0`,
    // Adds two more frames, because rounding may make the source one frame shorter.
    `tpad=stop_mode=clone:stop_duration=${plan.heldSeconds + (2 * denominator) / numerator}`,
    `trim=end_frame=${plan.frames}`,
    ...(plan.toneMap === null ? [] : toneMapping(plan.toneMap, largest)),
    `split=${encoded.length}`,
  ]
  return [
    `[0:${stream}]${source.join(',')}${encoded.map(({ id }) => `[${id}s]`).join('')}`,
    ...encoded.map(
      ({ id, width, height }) =>
        `[${id}s]scale=${width}:${height}:flags=bicubic,setsar=1,format=yuv420p[${id}]`,
    ),
  ]
}

/**
 * Maps high dynamic range to BT.709. The mapping is slow, so it runs after scaling to the size of the largest
 * rendition.
 */
function toneMapping(transfer: 'pq' | 'hlg', { width, height }: PicturePlan): string[] {
  const tin = transfer === 'pq' ? 'smpte2084' : 'arib-std-b67'
  return [
    `zscale=w=${width}:h=${height}:tin=${tin}:pin=bt2020:min=bt2020nc:t=linear:npl=100`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    'tonemap=tonemap=hable:desat=0',
    'zscale=t=bt709:m=bt709:r=tv',
    'format=yuv420p',
  ]
}

/**
 * Returns the filters for the sounds. The AAC encoder inserts one frame of silence before the first sample.
 * Dropping as many samples from the source keeps sound and picture in sync without an edit list, and costs the
 * first 21 ms of sound.
 */
function soundFilters(plan: Plan): string[] {
  return plan.sounds.flatMap((sound) => {
    if (sound.how === 'copy') return []
    const samples = audioFrames(plan.durationSeconds, sound.sampleRate) * AAC_FRAME
    if (sound.how === 'silence') {
      return [`anullsrc=r=${sound.sampleRate}:cl=stereo,atrim=end_sample=${samples - AAC_FRAME}[${sound.id}]`]
    }
    return [
      `[0:${sound.stream}]aresample=${sound.sampleRate}:async=1:first_pts=0,aformat=channel_layouts=stereo,` +
        `apad=whole_len=${samples},atrim=start_sample=${AAC_FRAME}:end_sample=${samples},asetpts=PTS-STARTPTS[${sound.id}]`,
    ]
  })
}

/**
 * Number of threads of an encoder: all cores but one, from 2 to 8. The lower bound still leaves room for the service,
 * because ffmpeg runs at low priority. The upper bound saves memory on large machines.
 */
function threads(): number {
  return Math.min(8, Math.max(2, availableParallelism() - 1))
}

/** Parses the output of ffmpeg's `-progress`: lines `out_time_us=…`, and `speed=…x` for the time left. */
function progressReader(
  durationSeconds: number,
  report: (progress: EncodeProgress) => void,
): (chunk: Buffer) => void {
  let rest = ''
  let seconds = 0
  return (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const time = /^out_time_us=(\d+)$/.exec(line)?.[1]
      if (time !== undefined) seconds = Number(time) / 1e6
      const speed = /^speed=\s*([\d.]+)x$/.exec(line)?.[1]
      if (speed === undefined) continue
      const left = Math.max(0, durationSeconds - seconds)
      report({
        done: Math.min(1, seconds / durationSeconds),
        secondsLeft: Number(speed) > 0 ? left / Number(speed) : null,
      })
    }
  }
}
