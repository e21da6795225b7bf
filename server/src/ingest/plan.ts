import type { AudioAddition } from '@ondine/contract/tracks'
import { DESCRIPTION_LABEL, SEGMENT_SECONDS } from '@ondine/media/track-set'
import { mainSound } from '@ondine/media/track-set-check'
import { copyObstacle } from './copy-obstacle.ts'
import {
  type FrameRate,
  framesPerSegment,
  outputRate,
  perSecond,
  segmentSeconds,
  videoTimescale,
} from './frame-rate.ts'
import { type Rung, rungs } from './ladder.ts'
import type { Source, SourceAudio } from './probe.ts'

/** The renditions to make from a source. */
export interface Plan {
  frameRate: FrameRate
  /** Total number of frames. */
  frames: number
  framesPerSegment: number
  segmentSeconds: number
  durationSeconds: number
  /** Ticks per second of the video renditions. */
  timescale: number
  /** The video renditions, largest first. */
  pictures: PicturePlan[]
  sounds: SoundPlan[]
  deinterlace: boolean
  /**
   * High dynamic range transfer function that is mapped to standard dynamic range; null if no mapping is needed.
   */
  toneMap: 'pq' | 'hlg' | null
  /** How long the last frame is repeated, in seconds, if the sound continues after the video. */
  heldSeconds: number
  /** Reason why the source's picture is not copied, for the log; null if it is copied. */
  obstacle: string | null
}

export interface PicturePlan extends Rung {
  id: string
  how: 'copy' | 'encode'
}

export interface SoundPlan {
  id: string
  how: 'copy' | 'encode' | 'silence'
  /** Index of the stream in the source; -1 for generated silence. */
  stream: number
  language: string
  label: string
  isDefault: boolean
  addition?: AudioAddition | undefined
  channels: number
  sampleRate: number
}

/** Samples in a frame of AAC-LC. */
export const AAC_FRAME = 1024

/**
 * If the sound outlasts the video by more than this, the last frame is repeated until the sound ends. A shorter
 * rest of the sound is cut off.
 */
const SOUND_ALONE_SECONDS = 5

/** A last segment shorter than this is cut off: it is hardly worth a request, and might contain no audio frame. */
const RUNT_SECONDS = 0.1

const SOUND = { channels: 2, sampleRate: 48_000 }

/**
 * Decides which renditions are made from `source`, and whether each of them is copied or encoded. Pure function.
 *
 * A source without sound gets one silent rendition. Players keep their audio buffer between programmes of a
 * channel, and before and after films, only if every programme has an audio rendition.
 *
 * @param targetSeconds nominal duration of segments
 */
export function plan(source: Source, targetSeconds = SEGMENT_SECONDS): Plan {
  const { video } = source
  const frameRate = outputRate(video.framesPerSecond, video.variable)
  const perSegment = framesPerSegment(frameRate, targetSeconds)
  const heldSeconds = soundAlone(source)
  const frames = withoutRunt(
    Math.max(1, Math.round((source.durationSeconds + heldSeconds) * perSecond(frameRate))),
    frameRate,
    perSegment,
  )
  const durationSeconds = frames / perSecond(frameRate)
  const sizes = rungs(video.width, video.height, frameRate)
  const top = sizes[0]
  const obstacle =
    heldSeconds > 0
      ? 'the sound outlasts the picture'
      : top === undefined
        ? 'there is no picture'
        : copyObstacle(video, top, frameRate, { frames, perSegment })
  return {
    frameRate,
    frames,
    framesPerSegment: perSegment,
    segmentSeconds: segmentSeconds(frameRate, perSegment),
    durationSeconds,
    timescale: videoTimescale(frameRate),
    pictures: sizes.map((size, index) => ({
      ...size,
      id: `v${size.lines}`,
      how: index === 0 && obstacle === null ? 'copy' : 'encode',
    })),
    sounds: planSounds(source.audio, durationSeconds),
    deinterlace: video.interlaced,
    toneMap: video.highDynamicRange,
    heldSeconds,
    obstacle,
  }
}

/** Returns the number of AAC frames that cover `seconds`, so that the sound never ends before the picture. */
export function audioFrames(seconds: number, sampleRate: number): number {
  return Math.ceil((seconds * sampleRate) / AAC_FRAME - 1e-6)
}

function soundAlone(source: Source): number {
  const soundEnd = source.audio.reduce(
    (latest, { startSeconds, scan }) => Math.max(latest, startSeconds + scan.endSeconds - scan.startSeconds),
    0,
  )
  const alone = soundEnd - source.durationSeconds
  return alone > SOUND_ALONE_SECONDS ? alone : 0
}

function withoutRunt(frames: number, rate: FrameRate, perSegment: number): number {
  const rest = frames % perSegment
  return frames > perSegment && rest < RUNT_SECONDS * perSecond(rate) ? frames - rest : frames
}

function planSounds(streams: SourceAudio[], durationSeconds: number): SoundPlan[] {
  if (streams.length === 0) {
    return [
      { id: 'a-und-1', how: 'silence', stream: -1, language: 'und', label: '', isDefault: true, ...SOUND },
    ]
  }
  const chosen = mainSound(streams)
  return streams.map((stream, index) => {
    const alike = streams.filter(({ language }) => language === stream.language)
    const place = streams.slice(0, index + 1).filter(({ language }) => language === stream.language).length
    const number = alike.length > 1 ? `${place}` : ''
    const name = stream.title || (stream.addition === 'description' ? DESCRIPTION_LABEL : number)
    const copied = canCopy(stream, durationSeconds)
    return {
      id: `a-${stream.language}-${place}`,
      how: copied ? 'copy' : 'encode',
      stream: stream.stream,
      language: stream.language,
      label: alike.length > 1 || stream.addition !== undefined ? name : '',
      isDefault: stream === chosen,
      addition: stream === chosen ? undefined : stream.addition,
      ...(copied ? { channels: stream.channels, sampleRate: stream.sampleRate } : SOUND),
    }
  })
}

/**
 * Returns whether a sound can be copied. The sound must be AAC-LC that every browser plays, without gaps, and
 * cover the whole picture.
 */
function canCopy(audio: SourceAudio, durationSeconds: number): boolean {
  const frameSeconds = AAC_FRAME / audio.sampleRate
  const endSeconds = audio.startSeconds + audio.scan.endSeconds - audio.scan.startSeconds
  return (
    audio.codec === 'aac' &&
    audio.profile === 'LC' &&
    audio.channels >= 1 &&
    audio.channels <= 2 &&
    (audio.sampleRate === 48_000 || audio.sampleRate === 44_100) &&
    audio.scan.timed &&
    audio.scan.continuous &&
    audio.startSeconds <= frameSeconds / 2 &&
    endSeconds >= durationSeconds - frameSeconds / 2
  )
}
