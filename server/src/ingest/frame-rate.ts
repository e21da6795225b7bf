import { SEGMENT_SECONDS } from '@ondine/media/track-set'

/** Frames per second as an exact fraction. */
export interface FrameRate {
  numerator: number
  denominator: number
}

/** Standard rates of screens and broadcasts, highest first. */
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
/**
 * Rate for sources above 60 frames per second whose rate is not a multiple of a standard rate. This rate suits most
 * such sources.
 */
const FALLBACK: FrameRate = rate(30)

/** Rates that differ by less than this ratio count as equal. 24 and 23.976 differ by twice as much. */
const SAME = 0.0005

export function perSecond({ numerator, denominator }: FrameRate): number {
  return numerator / denominator
}

/**
 * Returns the constant output rate for a source of `framesPerSecond`: its own rate if segments then have a whole
 * number of frames, else the next standard rate. Rates above 60 are divided by a whole number (1000 becomes 50,
 * 119.88 becomes 59.94), so that motion stays even.
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
 * Returns the number of frames per segment: the whole number nearest to `seconds`. At 24, 25, 30, 50 or 60 frames
 * per second, a segment of 4 s lasts exactly 4 s. At the NTSC rates, which have no whole number of frames per
 * second, it lasts exactly 4.004 s.
 */
export function framesPerSegment(frameRate: FrameRate, seconds = SEGMENT_SECONDS): number {
  return Math.round(seconds * perSecond(frameRate))
}

/** Returns the duration of segments of this many frames, in seconds. */
export function segmentSeconds(frameRate: FrameRate, frames = framesPerSegment(frameRate)): number {
  return (frames * frameRate.denominator) / frameRate.numerator
}

/**
 * Returns a timescale in which every frame lasts a whole number of ticks, fine enough for the times of any edit.
 */
export function videoTimescale({ numerator }: FrameRate): number {
  return numerator < 10_000 ? numerator * 1000 : numerator
}

/**
 * Measures the frame rate and its regularity. `times` are presentation times in seconds, ascending.
 *
 * @returns the frames per second, and whether frames deviate from an even grid of that rate.
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
  // Standard rates near the mean take precedence, because the mean of a short film is inexact.
  const fitting =
    candidates.filter((candidate) => candidate !== mean).find((candidate) => isEven(times, candidate)) ??
    (isEven(times, mean) ? mean : undefined)
  if (fitting !== undefined) return { framesPerSecond: fitting, variable: false }
  return { framesPerSecond: usualRate(times, mean), variable: true }
}

/**
 * Returns whether all frames are on the grid of `framesPerSecond`, without gaps. Tolerates times that the
 * container has rounded to milliseconds.
 */
function isEven(times: readonly number[], framesPerSecond: number): boolean {
  const first = times[0] ?? 0
  const tolerance = Math.min(0.4 / framesPerSecond, 0.004) + 0.0011
  return times.every((time, index) => Math.abs(time - first - index / framesPerSecond) <= tolerance)
}

/**
 * Returns the rate of most frames while the picture moves. In a screen recording with pauses, the mean rate would
 * be far too low. The median alone is inexact if times are rounded to milliseconds.
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
