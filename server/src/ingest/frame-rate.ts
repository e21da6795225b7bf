import { SEGMENT_SECONDS } from '@ondine/media/track-set'

/** Frames per second as an exact fraction. */
export interface FrameRate {
  numerator: number
  denominator: number
}

/** The rates that screens and broadcasts know, highest first. */
const STANDARD_RATES: readonly FrameRate[] = [
  rate(60),
  rate(60000, 1001),
  rate(50),
  rate(48),
  rate(30),
  rate(30000, 1001),
  rate(25),
  rate(24),
  rate(24000, 1001),
  rate(20),
  rate(15),
  rate(25, 2),
  rate(12),
  rate(10),
  rate(15, 2),
  rate(6),
  rate(5),
]
const HIGHEST: FrameRate = rate(60)
const LOWEST: FrameRate = rate(5)
/** Of a rate that is too high and a multiple of none: what looks right for most. */
const FALLBACK: FrameRate = rate(30)

/** Closer than this, two rates are the same: 24 and 23.976 differ by twice as much. */
const SAME = 0.0005

export function perSecond({ numerator, denominator }: FrameRate): number {
  return numerator / denominator
}

/**
 * The constant rate that a source of `framesPerSecond` is shown at: its own where a segment then holds a whole number
 * of frames, else the next standard one. Rates above 60 are divided evenly (1000 becomes 50, 119.88 becomes 59.94), so
 * that motion stays even.
 */
export function outputRate(framesPerSecond: number, variable: boolean): FrameRate {
  const standard = STANDARD_RATES.find((candidate) => isSame(perSecond(candidate), framesPerSecond))
  if (standard) return standard
  if (framesPerSecond > perSecond(HIGHEST)) {
    return (
      STANDARD_RATES.find((candidate) => {
        const steps = framesPerSecond / perSecond(candidate)
        return isSame(steps, Math.round(steps))
      }) ?? FALLBACK
    )
  }
  if (framesPerSecond < perSecond(LOWEST)) return LOWEST
  const whole = Math.round(framesPerSecond)
  if (!variable && isSame(framesPerSecond, whole)) return rate(whole)
  return STANDARD_RATES.findLast((candidate) => perSecond(candidate) >= framesPerSecond) ?? HIGHEST
}

/**
 * Frames in one segment: the whole number nearest to {@link SEGMENT_SECONDS}. Segments are exactly 4 s at 24, 25, 30,
 * 50 or 60 frames a second, and exactly 4.004 s at the NTSC rates, whose seconds hold no whole number of frames.
 */
export function framesPerSegment(frameRate: FrameRate): number {
  return Math.round(SEGMENT_SECONDS * perSecond(frameRate))
}

/** Seconds of one segment at this rate. */
export function segmentSeconds(frameRate: FrameRate): number {
  return (framesPerSegment(frameRate) * frameRate.denominator) / frameRate.numerator
}

/** Ticks per second in which every frame is a whole number of ticks, and fine enough for any edit. */
export function videoTimescale({ numerator }: FrameRate): number {
  return numerator < 10_000 ? numerator * 1000 : numerator
}

/**
 * How regular frames are. `times` are presentation times in seconds, ascending.
 *
 * @returns the frames per second, and whether frames stray from an even grid of that rate.
 */
export function measureRate(times: readonly number[]): { framesPerSecond: number; variable: boolean } {
  const first = times[0] ?? 0
  const last = times.at(-1) ?? 0
  if (times.length < 2 || last <= first) return { framesPerSecond: 0, variable: true }
  const mean = (times.length - 1) / (last - first)
  const candidates = [...STANDARD_RATES.map(perSecond), Math.round(mean), mean].filter(
    (candidate) => Math.abs(candidate - mean) <= mean * 0.01,
  )
  candidates.sort((a, b) => Math.abs(a - mean) - Math.abs(b - mean))
  // Of the rates near the mean the standard ones come first: a short film's mean is inexact.
  const fitting =
    candidates.filter((candidate) => candidate !== mean).find((candidate) => isEven(times, candidate)) ??
    (isEven(times, mean) ? mean : undefined)
  if (fitting !== undefined) return { framesPerSecond: fitting, variable: false }
  return { framesPerSecond: usualRate(times, mean), variable: true }
}

/** Whether every frame stands on the grid of `framesPerSecond`, none missing. Containers may round to milliseconds. */
function isEven(times: readonly number[], framesPerSecond: number): boolean {
  const first = times[0] ?? 0
  const tolerance = Math.min(0.4 / framesPerSecond, 0.004) + 0.0011
  return times.every((time, index) => Math.abs(time - first - index / framesPerSecond) <= tolerance)
}

/**
 * The rate of most frames while the picture moves. The mean of all would be far too low for a recording of a screen that
 * stands still between two movements; the median alone is inexact where times are rounded to milliseconds.
 */
function usualRate(times: readonly number[], mean: number): number {
  const steps = times
    .slice(1)
    .map((time, index) => time - (times[index] ?? 0))
    .filter((step) => step > 0)
    .sort((a, b) => a - b)
  const median = steps[Math.floor(steps.length / 2)]
  if (median === undefined) return mean
  const usual = steps.filter((step) => Math.abs(step - median) < median * 0.2)
  return Math.max(mean, usual.length / usual.reduce((sum, step) => sum + step, 0))
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(a, b) * SAME
}

function rate(numerator: number, denominator = 1): FrameRate {
  return { numerator, denominator }
}
