import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { inputOptions } from './input-options.ts'
import { AAC_FRAME, audioFrames, type PicturePlan, type Plan, type SoundPlan } from './plan.ts'
import type { Source } from './probe.ts'
import { programReason, runProgram } from './run-program.ts'
import { words } from './words.ts'

/** How far a run of ffmpeg has come. */
export interface EncodeProgress {
  /** 0 to 1. */
  done: number
  secondsLeft: number | null
}

/** A rendition before it is packaged: one MP4 file with one stream that begins at time 0. */
export interface Intermediate {
  id: string
  path: string
}

export interface EncodeRequest {
  source: Source
  plan: Plan
  /** Where the intermediates go. */
  folder: string
  signal: AbortSignal
  onProgress: (progress: EncodeProgress) => void
}

/** Makes all renditions of a source in one run, so that it is read and decoded once. */
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

/** The whole command line, without the program's name. */
export function encodeArguments(
  source: Source,
  plan: Plan,
  intermediates: readonly Intermediate[],
): string[] {
  const videoStream = source.video.stream
  const target = (id: string): string => `file:${intermediates.find((one) => one.id === id)?.path ?? ''}`
  const graph = [...pictureFilters(videoStream, plan), ...soundFilters(plan)].join(';')
  return [
    ...words`-nostdin -hide_banner -v error -y -progress pipe:1 -stats_period 0.5`,
    ...inputOptions(source.path, source.originSeconds),
    ...(graph === '' ? [] : ['-filter_complex', graph]),
    ...plan.pictures.flatMap((picture) => [
      ...(picture.how === 'copy' ? copiedPicture(videoStream, plan) : encodedPicture(picture, plan)),
      // Nothing of the source's tags and chapters goes into the media. Times begin at 0 without an edit list, which
      // not every player honours.
      ...words`-map_metadata -1 -map_chapters -1 -movflags +negative_cts_offsets`,
      ...words`-video_track_timescale ${plan.timescale} -f mp4 ${target(picture.id)}`,
    ]),
    ...plan.sounds.flatMap((sound) => [
      ...(sound.how === 'copy' ? copiedSound(sound, plan) : encodedSound(sound)),
      ...words`-map_metadata -1 -map_chapters -1 -use_editlist 0 -avoid_negative_ts make_zero`,
      ...words`-f mp4 ${target(sound.id)}`,
    ]),
  ]
}

function encodedPicture({ id, quality, maxRate }: PicturePlan, plan: Plan): string[] {
  const group = plan.framesPerSegment % 2 === 0 ? plan.framesPerSegment / 2 : plan.framesPerSegment
  return [
    ...words`-map [${id}] -c:v libx264 -preset veryfast -profile:v high -threads ${threads()}`,
    ...words`-crf ${quality} -maxrate ${maxRate} -bufsize ${maxRate * 2}`,
    // Key frames at equal distances and nowhere else, so that every segment begins with one in every rendition.
    ...words`-g ${group} -keyint_min ${group} -sc_threshold 0`,
  ]
}

/** A copied picture, its times put on the exact grid that a container in milliseconds had rounded them off. */
function copiedPicture(stream: number, plan: Plan): string[] {
  const ticks = (plan.timescale * plan.frameRate.denominator) / plan.frameRate.numerator
  const snap = (time: string) => `round((${time}-STARTPTS)*TB*${plan.timescale}/${ticks})*${ticks}`
  return [
    ...words`-map 0:${stream} -c:v copy -frames:v ${plan.frames} -time_base 1/${plan.timescale}`,
    ...words`-bsf:v setts=pts=${snap('PTS')}:dts=${snap('DTS')}:duration=${ticks}`,
  ]
}

function encodedSound({ id }: SoundPlan): string[] {
  return words`-map [${id}] -c:a aac -b:a 128k -threads 1`
}

/** A copied sound, without what stands before and after the picture; its frames, known to be gapless, end to end. */
function copiedSound({ stream, sampleRate }: SoundPlan, plan: Plan): string[] {
  const time = `N*${AAC_FRAME}`
  const before = `noise=drop=lt(pts\\,${-AAC_FRAME / 2})`
  const endToEnd = `setts=pts=${time}:dts=${time}:duration=${AAC_FRAME}`
  const after = `noise=drop=gte(pts\\,${audioFrames(plan.durationSeconds, sampleRate) * AAC_FRAME})`
  return [
    ...words`-map 0:${stream} -c:a copy -time_base 1/${sampleRate}`,
    ...words`-bsf:a ${before},${endToEnd},${after}`,
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
    // Two frames in reserve: rounding may have left the source one short.
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

/** Brings a high dynamic range down to BT.709, at the size of the largest rendition, since it is slow. */
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
 * The encoder puts one frame of silence before the first sample. Leaving out as many samples keeps what is heard in
 * time with the picture without an edit list; it costs the first 21 ms of sound.
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

/** All cores but one: the priority is low already, and this keeps memory in bounds on large machines. */
function threads(): number {
  return Math.min(8, Math.max(2, availableParallelism() - 1))
}

/** Reads what ffmpeg says with `-progress`: lines `out_time_us=…` and, for the time left, `speed=…x`. */
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
