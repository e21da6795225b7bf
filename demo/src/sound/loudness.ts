import { SAMPLE_RATE, type Stereo } from './stereo.ts'

/**
 * Length of a block, in samples. `HOP` is the distance between the starts of two blocks. Blocks of 400 ms overlap by
 * 75 % (gated loudness of ITU-R BS.1770-4).
 */
const BLOCK = 0.4 * SAMPLE_RATE
const HOP = 0.1 * SAMPLE_RATE
const ABSOLUTE_GATE = -70
const RELATIVE_GATE = -10
/** Maximum amplitude. A soft limiter keeps peaks below it. -1.6 dBFS leaves headroom for the encoder. */
const CEILING = 0.83

/** Returns the integrated loudness in LUFS by ITU-R BS.1770-4; minus infinity for silence. */
export function loudness(sound: Stereo): number {
  const left = blockPower(weighted(sound.left))
  const right = blockPower(weighted(sound.right))
  const powers = left.map((power, index) => power + (right[index] ?? 0))
  const absolute = powers.filter((power) => toLufs(power) > ABSOLUTE_GATE)
  if (absolute.length === 0) return Number.NEGATIVE_INFINITY
  const relative = toLufs(mean(absolute)) + RELATIVE_GATE
  return toLufs(mean(absolute.filter((power) => toLufs(power) > relative)))
}

/** Changes the loudness of `sound` to `target` LUFS in place, without clipping. */
export function normalise(sound: Stereo, target: number): void {
  const measured = loudness(sound)
  if (!Number.isFinite(measured)) return
  const gain = 10 ** ((target - measured) / 20)
  const knee = CEILING * 0.7
  for (const samples of [sound.left, sound.right]) {
    for (let at = 0; at < samples.length; at++) {
      const value = samples[at]! * gain
      const size = Math.abs(value)
      // Above the knee, the curve approaches the maximum, but never reaches it.
      samples[at] =
        size <= knee
          ? value
          : Math.sign(value) * (knee + (CEILING - knee) * Math.tanh((size - knee) / (CEILING - knee)))
    }
  }
}

/**
 * Applies the K weighting of the recommendation at 48 kHz: a shelf filter for the effect of the head, then a
 * high-pass filter. The recommendation defines the coefficients.
 */
function weighted(samples: Float32Array): Float32Array {
  const shelved = biquad(
    samples,
    [1.53512485958697, -2.69169618940638, 1.19839281085285],
    [-1.69065929318241, 0.73248077421585],
  )
  return biquad(shelved, [1, -2, 1], [-1.99004745483398, 0.99007225036621])
}

function biquad(
  samples: Float32Array,
  [b0, b1, b2]: [number, number, number],
  [a1, a2]: [number, number],
): Float32Array {
  const out = new Float32Array(samples.length)
  let first = 0
  let second = 0
  for (let at = 0; at < samples.length; at++) {
    const input = samples[at]!
    const output = b0 * input + first
    first = b1 * input - a1 * output + second
    second = b2 * input - a2 * output
    out[at] = output
  }
  return out
}

function blockPower(samples: Float32Array): number[] {
  const hops: number[] = []
  for (let start = 0; start + HOP <= samples.length; start += HOP) {
    let sum = 0
    for (let at = start; at < start + HOP; at++) sum += samples[at]! ** 2
    hops.push(sum)
  }
  const powers: number[] = []
  for (let index = 0; index + 4 <= hops.length; index++) {
    powers.push((hops[index]! + hops[index + 1]! + hops[index + 2]! + hops[index + 3]!) / BLOCK)
  }
  return powers
}

function toLufs(power: number): number {
  return -0.691 + 10 * Math.log10(power)
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
