import type { Stereo } from './stereo.ts'

/** Delays in samples at 48 kHz. No delay is a multiple of another, so that the echo has no pitch. */
const COMBS = [1557, 1617, 1491, 1422, 1277, 1356]
const ALLPASSES = [556, 441, 341]
/** Number of samples by which the right side's delays are longer. The difference makes the room sound wide. */
const SPREAD = 23

/** Returns the echo of `source` in a room, without `source` itself. `size` is from 0 (small) to 1 (cathedral). */
export function reverb(source: Stereo, size: number): Stereo {
  return { left: room(source.left, size, 0), right: room(source.right, size, SPREAD) }
}

function room(input: Float32Array, size: number, spread: number): Float32Array {
  const feedback = 0.74 + size * 0.22
  const out = new Float32Array(input.length)
  for (const delay of COMBS) {
    const line = new Float32Array(delay + spread)
    let at = 0
    let damped = 0
    for (let index = 0; index < input.length; index++) {
      const echo = line[at]!
      damped = echo * 0.72 + damped * 0.28
      line[at] = input[index]! + damped * feedback
      out[index] = out[index]! + echo
      if (++at === line.length) at = 0
    }
  }
  for (const delay of ALLPASSES) {
    const line = new Float32Array(delay + spread)
    let at = 0
    for (let index = 0; index < out.length; index++) {
      const echo = line[at]!
      const value = out[index]!
      line[at] = value + echo * 0.5
      out[index] = echo - value
      if (++at === line.length) at = 0
    }
  }
  return out
}
