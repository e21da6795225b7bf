import type { SKRSContext2D } from '@napi-rs/canvas'

/**
 * The frame strip: a machine-readable row of {@link STRIP_SQUARES} light or dark squares in the lower left corner
 * of every frame. Only libraries for tests have the strip. Tests read it to prove which film is on the screen, and
 * which second of the film. The side of a square is {@link STRIP_SQUARE} pixels in a frame of 1280x720, and scales
 * with the frame.
 *
 *     square  0–1   light, dark: shows that there is a strip, and how bright its light and dark squares are
 *             2–11  whole seconds since the film's start, 0 to 1023, highest bit first
 *            12–17  number of the film, 0 to 63, highest bit first
 *            18–21  checksum: the sum of the sixteen bits above, as four groups of four, modulo 16, inverted
 *            22–23  dark, light: the end
 */

/** Number of squares in a strip. */
export const STRIP_SQUARES = 24
/** Side of a square in pixels, in a frame with 720 lines. */
export const STRIP_SQUARE = 8

const FRAME_LINES = 720
/** Minimum difference of light and dark squares (0 to 255) for a reader to distinguish them after encoding. */
const LEAST_CONTRAST = 60

/** Content of a strip. */
export interface FrameStamp {
  /** Whole seconds since the film's start. */
  readonly second: number
  /** Number of the film, episode or trailer (see `catalogue.ts`). */
  readonly film: number
}

/** Pixels in which to look for a strip: RGBA, rows from the top, as in `ImageData` of a browser or canvas. */
export interface Pixels {
  readonly data: ArrayLike<number>
  readonly width: number
  readonly height: number
}

/**
 * Returns the squares of a strip from left to right. True means light. Throws a RangeError if a number is too
 * large.
 */
export function frameStrip({ second, film }: FrameStamp): boolean[] {
  if (!Number.isInteger(second) || second < 0 || second > 1023)
    throw new RangeError(`second ${second} is not 0 to 1023`)
  if (!Number.isInteger(film) || film < 0 || film > 63) throw new RangeError(`film ${film} is not 0 to 63`)
  const value = (second << 6) | film
  return [true, false, ...bits(value, 16), ...bits(check(value), 4), false, true]
}

const LIGHT = '#c9cdd2'
const DARK = '#101418'

/** Draws the strip into a frame with `height` lines. */
export function drawFrameStrip(picture: SKRSContext2D, stamp: FrameStamp, height: number): void {
  const side = (STRIP_SQUARE * height) / FRAME_LINES
  for (const [index, light] of frameStrip(stamp).entries()) {
    picture.fillStyle = light ? LIGHT : DARK
    picture.fillRect(index * side, height - side, side, side)
  }
}

/**
 * Reads the strip of a frame. The frame may have another size with the same aspect ratio, if a square covers at
 * least 2 pixels. Returns null if there is no strip, or if its checksum is wrong.
 */
export function readFrameStrip(pixels: Pixels): FrameStamp | null {
  const side = (STRIP_SQUARE * pixels.height) / FRAME_LINES
  if (side < 2 || pixels.width < side * STRIP_SQUARES) return null
  const brightness = Array.from({ length: STRIP_SQUARES }, (_, index) =>
    squareBrightness(pixels, index, side),
  )
  const light = ((brightness[0] ?? 0) + (brightness[STRIP_SQUARES - 1] ?? 0)) / 2
  const dark = ((brightness[1] ?? 0) + (brightness[STRIP_SQUARES - 2] ?? 0)) / 2
  if (light - dark < LEAST_CONTRAST) return null
  const squares = brightness.map((value) => value > (light + dark) / 2)
  if (!squares[0] || squares[1] || squares[STRIP_SQUARES - 2] || !squares[STRIP_SQUARES - 1]) return null
  const value = number(squares.slice(2, 18))
  if (number(squares.slice(18, 22)) !== check(value)) return null
  return { second: value >> 6, film: value & 63 }
}

function squareBrightness({ data, width, height }: Pixels, index: number, side: number): number {
  // Reads only the middle of a square, because scaling and encoding blur its edges.
  const inset = side * 0.25
  let sum = 0
  let count = 0
  for (let y = Math.ceil(height - side + inset - 0.5); y + 0.5 < height - inset; y++) {
    for (let x = Math.ceil(index * side + inset - 0.5); x + 0.5 < (index + 1) * side - inset; x++) {
      const at = (y * width + x) * 4
      sum += 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)
      count++
    }
  }
  return count === 0 ? 0 : sum / count
}

function bits(value: number, length: number): boolean[] {
  return Array.from({ length }, (_, index) => ((value >> (length - 1 - index)) & 1) === 1)
}

function number(squares: boolean[]): number {
  return squares.reduce((value, square) => value * 2 + (square ? 1 : 0), 0)
}

/** Computes the checksum of a strip. It is inverted, so that a strip of zeros has a checksum other than zero. */
function check(value: number): number {
  const sum = (value & 15) + ((value >> 4) & 15) + ((value >> 8) & 15) + ((value >> 12) & 15)
  return ~sum & 15
}
