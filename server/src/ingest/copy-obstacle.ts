import { type FrameRate, perSecond } from './frame-rate.ts'
import type { Rung } from './ladder.ts'
import type { SourceVideo } from './probe.ts'

/** H.264 profiles that every browser decodes. */
const PROFILES = new Set(['Constrained Baseline', 'Main', 'High'])
const HIGHEST_LEVEL = 51

/** Factors by which a copied video's bit rate may exceed that of an encoded video, on average and at its peak. */
const MEAN_ALLOWANCE = 2
const PEAK_ALLOWANCE = 5

/** Length of the video and of its segments, in frames. */
interface Cuts {
  frames: number
  perSegment: number
}

/**
 * Returns the reason why the source's picture must be encoded; null if a copy can be the best rendition. A copy
 * must be H.264 that every browser decodes, have a constant rate and a supported size, and be cleanly cuttable
 * exactly at each segment's start.
 */
export function copyObstacle(video: SourceVideo, top: Rung, rate: FrameRate, cut: Cuts): string | null {
  if (video.codec !== 'h264') return `its codec is ${video.codec}`
  if (!PROFILES.has(video.profile)) return `its profile is ${video.profile}`
  if (video.pixelFormat !== 'yuv420p') return `its pixel format is ${video.pixelFormat}`
  if (video.level > HIGHEST_LEVEL) return `its level is ${video.level / 10}`
  if (video.interlaced) return 'it is interlaced'
  if (video.highDynamicRange !== null) return 'its dynamic range is high'
  if (video.rotation !== 0) return 'it is turned'
  if (video.pixelAspect !== 1) return 'its pixels are not square'
  if (video.width !== top.width || video.height !== top.height) return 'its size is odd or too large'
  if (video.variable) return 'its frame rate varies'
  if (Math.abs(video.framesPerSecond - perSecond(rate)) > 1e-3) return 'its frame rate is unusual'
  if (!video.scan.timed || video.scan.hidden) return 'an edit list or missing times hide parts of it'
  if (video.startSeconds > 0.5 / perSecond(rate)) return 'it begins after the sound'
  const seconds = video.scan.endSeconds - video.scan.startSeconds
  if ((video.scan.bytes * 8) / seconds > top.maxRate * MEAN_ALLOWANCE) return 'its bit rate is too high'
  if (video.scan.peakBytesPerSecond * 8 > top.maxRate * PEAK_ALLOWANCE) return 'its peak bit rate is too high'
  if (!hasCleanCuts(video, rate, cut)) return 'its key frames are not at the starts of segments'
  return null
}

function hasCleanCuts(video: SourceVideo, rate: FrameRate, { frames, perSegment }: Cuts): boolean {
  const { startSeconds, keyTimes } = video.scan
  const cuts = new Set(keyTimes.map((time) => Math.round((time - startSeconds) * perSecond(rate))))
  for (let frame = 0; frame < frames; frame += perSegment) if (!cuts.has(frame)) return false
  return true
}
