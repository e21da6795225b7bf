import type { FrameRate } from './frame-rate.ts'
import { perSecond } from './frame-rate.ts'

/** A size for encoded video, and its rate limit. */
export interface Rung {
  /**
   * The common name of the size: 1080 if the picture fills the box of 1920 x 1080 in one direction, such as
   * 1920 x 800; otherwise its shorter side. Renditions are named by this size, so that films of different
   * aspect ratios fit on one channel.
   */
  lines: number
  width: number
  height: number
  /** Rate limit in bits per second. The video does not exceed it for longer than a moment. */
  maxRate: number
  /** Constant rate factor of x264: lower is finer. */
  quality: number
}

/** A box into which a rung must fit: its longer and shorter side, and the rate at 24 to 30 frames a second. */
interface Bounds {
  long: number
  short: number
  maxRate: number
  quality: number
}

/** Highest first. Films of 1920 x 800 and of 1440 x 1080 both belong to 1080 lines. */
const BOXES: readonly Bounds[] = [
  { long: 1920, short: 1080, maxRate: 6_000_000, quality: 21 },
  { long: 1280, short: 720, maxRate: 3_200_000, quality: 22 },
  { long: 640, short: 360, maxRate: 900_000, quality: 23 },
]

/**
 * Least ratio between the sizes of two neighbouring rungs. A rung that is only a little smaller than the next higher
 * rung is left out, because it would be of no use.
 */
const SMALLEST_STEP = 1.25

/**
 * Returns the sizes for a picture of `width` x `height`, largest first: first the size of the picture, or the
 * largest box if the picture is larger; then each smaller box. Sizes never exceed the source, have even
 * sides, and use upright boxes for portrait pictures.
 */
export function rungs(width: number, height: number, rate: FrameRate): Rung[] {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const scales = BOXES.map((box) => ({ box, scale: Math.min(1, box.long / long, box.short / short) }))
  return scales.flatMap(({ box, scale }, index) => {
    const higher = scales[index - 1]
    if (higher && higher.scale / scale < SMALLEST_STEP) return []
    const size = { width: even(width * scale, width), height: even(height * scale, height) }
    return [{ ...size, lines: linesOf(box, size), ...budget(box, size, rate) }]
  })
}

function linesOf(box: Bounds, { width, height }: { width: number; height: number }): number {
  const short = Math.min(width, height)
  const filled = Math.max(Math.max(width, height) / box.long, short / box.short)
  return filled > 0.98 ? box.short : short
}

/** Scales the box's rate down for a picture that does not fill the box, and up for higher frame rates. */
function budget(
  box: Bounds,
  size: { width: number; height: number },
  rate: FrameRate,
): { maxRate: number; quality: number } {
  const area = Math.min(1, (size.width * size.height) / (box.long * box.short))
  const motion = perSecond(rate) > 30.5 ? 1.4 : 1
  return { maxRate: Math.round(box.maxRate * motion * area ** 0.75), quality: box.quality }
}

/** Returns the nearest even number up to `limit`, at least 2. H.264 in 4:2:0 has no odd sizes. */
function even(value: number, limit: number): number {
  const nearest = Math.round(value / 2) * 2
  return Math.max(2, nearest > limit ? nearest - 2 : nearest)
}
