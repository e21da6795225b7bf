import type { FrameRate } from './frame-rate.ts'
import { perSecond } from './frame-rate.ts'

/** A rung of the encoding ladder: a size for encoded video, and its rate limit. */
export interface Rung {
  /**
   * Common name of the size, which names the renditions: films of different aspect ratios then share the
   * renditions of a channel. A picture that fills the box of 1920 x 1080 in one direction, such as 1920 x 800, has
   * 1080 lines. Any other picture has as many lines as the smallest picture of 16:9 into which it fits. So no two
   * rungs have the same name.
   */
  lines: number
  width: number
  height: number
  /** Rate limit in bits per second. The video exceeds it only for moments. */
  maxRate: number
  /** Constant rate factor of x264. A lower factor means better quality. */
  quality: number
}

/**
 * A box that a rung must fit into: its longer and shorter side, and its rate limit at 24 to 30 frames per second.
 */
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

/** Heights of the boxes in landscape, highest first: the rungs that a ladder can have. */
export const LADDER_HEIGHTS: readonly number[] = BOXES.map(({ short }) => short)

/**
 * Least ratio between the sizes of two neighbouring rungs. A rung that is hardly smaller than the next larger rung
 * is useless, and is dropped.
 */
const SMALLEST_STEP = 1.25

/**
 * Returns the rungs for a picture of `width` x `height`, largest first. The first rung has the size of the
 * picture, or fits the largest box if the picture is larger. A rung for each smaller box follows. Sizes never
 * exceed the source, and have even sides. For portrait pictures, the boxes are upright.
 *
 * @param ladder heights of the boxes to use, see {@link LADDER_HEIGHTS}
 */
export function rungs(
  width: number,
  height: number,
  rate: FrameRate,
  ladder: readonly number[] = LADDER_HEIGHTS,
): Rung[] {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const boxes = BOXES.filter((box) => ladder.includes(box.short))
  const scales = boxes.map((box) => ({ box, scale: Math.min(1, box.long / long, box.short / short) }))
  return scales.flatMap(({ box, scale }, index) => {
    const higher = scales[index - 1]
    if (higher && higher.scale / scale < SMALLEST_STEP) return []
    const size = { width: even(width * scale, width), height: even(height * scale, height) }
    return [{ ...size, lines: linesOf(box, size), ...budget(box, size, rate) }]
  })
}

function linesOf(box: Bounds, { width, height }: { width: number; height: number }): number {
  const long = Math.max(width, height)
  const short = Math.min(width, height)
  const filled = Math.max(long / box.long, short / box.short)
  return filled > 0.98 ? box.short : Math.max(short, Math.round((long * 9) / 16))
}

/**
 * Returns the box's rate limit, scaled down for a picture that does not fill the box, and up for higher frame
 * rates.
 */
function budget(
  box: Bounds,
  size: { width: number; height: number },
  rate: FrameRate,
): { maxRate: number; quality: number } {
  const area = Math.min(1, (size.width * size.height) / (box.long * box.short))
  const motion = perSecond(rate) > 30.5 ? 1.4 : 1
  return { maxRate: Math.round(box.maxRate * motion * area ** 0.75), quality: box.quality }
}

/** Returns the nearest even number up to `limit`, at least 2. H.264 in 4:2:0 requires even sizes. */
function even(value: number, limit: number): number {
  const nearest = Math.round(value / 2) * 2
  return Math.max(2, nearest > limit ? nearest - 2 : nearest)
}
