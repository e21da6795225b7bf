/**
 * Random numbers that are the same on every machine. All pictures and sounds depend only on their seeds, so a
 * second run, a test and a poster show the same picture.
 */

/** Returns a generator of numbers from 0 to 1 (1 excluded). The sequence depends only on `seed`. */
export function randomFrom(seed: string): () => number {
  let hash = 2166136261
  for (const character of seed) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619)
  let state = hash >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Returns a function for a smooth random line with values of about -1 to 1, for ridges, crests and drifting paths.
 */
export function hills(random: () => number, octaves = 7): (x: number) => number {
  const parts = Array.from({ length: octaves }, (_, index) => ({
    frequency: (index + 1) * (0.6 + random()),
    phase: random() * 7,
    amplitude: 1 / (index + 1.3),
  }))
  return (x) => {
    let sum = 0
    for (const part of parts) sum += Math.sin(x * part.frequency + part.phase) * part.amplitude
    return sum / 2
  }
}

/** Side of a noise tile in pixels. It is a power of two, so that a bit mask wraps coordinates. */
export const NOISE_SIZE = 256
const NOISE_MASK = NOISE_SIZE - 1

/** Returns a square of cloudy noise from 0 to 1 that repeats without a seam. {@link noiseAt} reads its values. */
export function noiseTile(seed: string, coarsest = 4, octaves = 6): Float32Array {
  const random = randomFrom(seed)
  const tile = new Float32Array(NOISE_SIZE * NOISE_SIZE)
  let amplitude = 1
  let total = 0
  for (let octave = 0; octave < octaves; octave++) {
    const cells = Math.min(NOISE_SIZE, coarsest << octave)
    const lattice = Float32Array.from({ length: cells * cells }, () => random())
    const step = cells / NOISE_SIZE
    for (let y = 0; y < NOISE_SIZE; y++) {
      const row = Math.floor(y * step)
      const below = (row + 1) % cells
      const ease = smooth(y * step - row)
      for (let x = 0; x < NOISE_SIZE; x++) {
        const column = Math.floor(x * step)
        const right = (column + 1) % cells
        const slide = smooth(x * step - column)
        const top = mix(lattice[row * cells + column] ?? 0, lattice[row * cells + right] ?? 0, slide)
        const bottom = mix(lattice[below * cells + column] ?? 0, lattice[below * cells + right] ?? 0, slide)
        const at = y * NOISE_SIZE + x
        tile[at] = (tile[at] ?? 0) + mix(top, bottom, ease) * amplitude
      }
    }
    total += amplitude
    amplitude *= 0.5
  }
  for (let at = 0; at < tile.length; at++) tile[at] = (tile[at] ?? 0) / total
  return tile
}

/**
 * Returns the value of a noise tile at any point, interpolated between pixels. The tile repeats in all directions.
 */
export function noiseAt(tile: Float32Array, x: number, y: number): number {
  const left = Math.floor(x)
  const top = Math.floor(y)
  const slide = x - left
  const ease = y - top
  const x0 = left & NOISE_MASK
  const x1 = (left + 1) & NOISE_MASK
  const y0 = (top & NOISE_MASK) * NOISE_SIZE
  const y1 = ((top + 1) & NOISE_MASK) * NOISE_SIZE
  const upper = tile[y0 + x0]! + (tile[y0 + x1]! - tile[y0 + x0]!) * slide
  const lower = tile[y1 + x0]! + (tile[y1 + x1]! - tile[y1 + x0]!) * slide
  return upper + (lower - upper) * ease
}

/** Interpolates linearly between `a` at `share` 0 and `b` at `share` 1. */
export function mix(a: number, b: number, share: number): number {
  return a + (b - a) * share
}

/** Limits `value` to the range from `low` to `high`. */
export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value
}

/** Eases `share` in and out (smoothstep). The result is from 0 to 1. */
export function smooth(share: number): number {
  const x = clamp(share)
  return x * x * (3 - 2 * x)
}

/** Returns 0 below `from` and 1 above `to`, and eases between them. */
export function step(from: number, to: number, value: number): number {
  return smooth((value - from) / (to - from))
}
