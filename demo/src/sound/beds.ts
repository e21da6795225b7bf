import { randomFrom } from '../random.ts'
import { SAMPLE_RATE, type Stereo } from './stereo.ts'

/** Background sounds under the music, for places and weather. */
export type BedName =
  | 'waves'
  | 'wind'
  | 'rain'
  | 'city'
  | 'underwater'
  | 'night'
  | 'marsh'
  | 'paper'
  | 'train'
  | 'loom'
  | 'space'
  | 'thunder'

/** Adds a background sound to `sound` for its whole length. */
export function layBed(sound: Stereo, bed: BedName, level: number, seed: string): void {
  switch (bed) {
    case 'waves':
      breathing(sound, level, seed, { low: 180, high: 1500, period: 7.5, floor: 0.12 })
      return breathing(sound, level * 0.5, `${seed} far`, { low: 90, high: 420, period: 11.3, floor: 0.4 })
    case 'wind':
      return breathing(sound, level, seed, { low: 240, high: 760, period: 9.1, floor: 0.25 })
    case 'rain':
      hiss(sound, level * 0.5, seed, 3200)
      return drops(sound, level, seed, { perSecond: 70, from: 1400, to: 5200, decay: 0.012 })
    case 'city':
      breathing(sound, level, seed, { low: 70, high: 240, period: 13, floor: 0.5 })
      return drops(sound, level * 0.7, seed, { perSecond: 0.9, from: 180, to: 420, decay: 0.35 })
    case 'underwater':
      breathing(sound, level, seed, { low: 90, high: 320, period: 8, floor: 0.45 })
      return drops(sound, level * 1.1, seed, { perSecond: 5, from: 320, to: 1200, decay: 0.05, rise: 1.9 })
    case 'night':
      breathing(sound, level * 0.7, seed, { low: 160, high: 420, period: 12, floor: 0.35 })
      return drops(sound, level * 0.35, seed, { perSecond: 3, from: 3600, to: 4300, decay: 0.06 })
    case 'marsh':
      breathing(sound, level * 0.6, seed, { low: 300, high: 1100, period: 6.5, floor: 0.2 })
      drops(sound, level * 0.5, seed, { perSecond: 1.6, from: 520, to: 900, decay: 0.09, rise: 0.8 })
      return drops(sound, level * 0.5, `${seed} birds`, {
        perSecond: 1.3,
        from: 2200,
        to: 3600,
        decay: 0.09,
        rise: 1.3,
      })
    case 'paper':
      return drops(sound, level, seed, { perSecond: 3.5, from: 700, to: 2600, decay: 0.03 })
    case 'train':
      breathing(sound, level, seed, { low: 80, high: 300, period: 5, floor: 0.6 })
      return clatter(sound, level * 2.2, seed, [0, 0.16, 0.62, 0.78], 1.24, 220)
    case 'loom':
      return clatter(sound, level * 1.6, seed, [0, 0.375, 0.75, 1.125], 1.5, 420)
    case 'space':
      return breathing(sound, level, seed, { low: 45, high: 160, period: 17, floor: 0.4 })
    case 'thunder':
      return thunder(sound, level, seed)
  }
}

/** Returns a generator of white noise from -1 to 1. It is fast, because a film needs millions of samples. */
function noiseSource(seed: string): () => number {
  let state = Math.floor(randomFrom(seed)() * 0x7fffffff) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state / 0x80000000
  }
}

/** Adds noise for sea and wind. Its strength and pitch rise and fall, separately on the left and on the right. */
function breathing(
  sound: Stereo,
  level: number,
  seed: string,
  shape: { low: number; high: number; period: number; floor: number },
): void {
  for (const [index, samples] of [sound.left, sound.right].entries()) {
    const noise = noiseSource(`${seed} ${index}`)
    const phase = randomFrom(`${seed} phase ${index}`)() * 1.2 + index * 0.7
    let low = 0
    let band = 0
    let cutoff = 0
    let gain = 0
    for (let at = 0; at < samples.length; at++) {
      if ((at & 255) === 0) {
        const turn = (2 * Math.PI * at) / SAMPLE_RATE / shape.period
        const swell = (0.5 + 0.5 * Math.sin(turn + phase)) * (0.62 + 0.38 * Math.sin(turn * 0.37 + phase * 2))
        gain = level * (shape.floor + (1 - shape.floor) * swell * swell)
        cutoff = 2 * Math.sin((Math.PI * (shape.low + (shape.high - shape.low) * swell)) / SAMPLE_RATE)
      }
      // Low-pass output of a damped state-variable filter (Chamberlin).
      const high = noise() - low - 1.1 * band
      band += cutoff * high
      low += cutoff * band
      samples[at] = samples[at]! + low * gain * 2
    }
  }
}

function hiss(sound: Stereo, level: number, seed: string, above: number): void {
  const share = Math.exp((-2 * Math.PI * above) / SAMPLE_RATE)
  for (const [index, samples] of [sound.left, sound.right].entries()) {
    const noise = noiseSource(`${seed} hiss ${index}`)
    let slow = 0
    for (let at = 0; at < samples.length; at++) {
      const value = noise()
      slow = value * (1 - share) + slow * share
      samples[at] = samples[at]! + (value - slow) * level * 0.2
    }
  }
}

interface Drops {
  readonly perSecond: number
  /** Lowest frequency, in hertz. */
  readonly from: number
  /** Highest frequency, in hertz. */
  readonly to: number
  /** Time until a drop has decayed, in seconds. */
  readonly decay: number
  /** Factor by which the frequency rises during a drop. */
  readonly rise?: number
}

/** Adds short sounds at random times: rain, bubbles, crickets, paper. */
function drops(
  sound: Stereo,
  level: number,
  seed: string,
  { perSecond, from, to, decay, rise = 1 }: Drops,
): void {
  const random = randomFrom(`${seed} drops`)
  const seconds = sound.left.length / SAMPLE_RATE
  const count = Math.floor(seconds * perSecond)
  for (let index = 0; index < count; index++) {
    const start = Math.floor(random() * sound.left.length)
    const pitch = from + (to - from) * random()
    const pan = random()
    const strength = level * (0.2 + 0.8 * random() ** 3) * 0.3
    const length = Math.min(sound.left.length - start, Math.floor(decay * 5 * SAMPLE_RATE))
    const fade = Math.exp(-1 / (decay * SAMPLE_RATE))
    const climb = (rise - 1) / Math.max(1, decay * 3 * SAMPLE_RATE)
    let phase = 0
    let loud = strength
    for (let at = 0; at < length; at++) {
      const value = Math.sin(phase) * loud * Math.min(1, at / 60)
      sound.left[start + at] = sound.left[start + at]! + value * (1 - pan)
      sound.right[start + at] = sound.right[start + at]! + value * pan
      phase += ((2 * Math.PI * pitch) / SAMPLE_RATE) * (1 + climb * at)
      loud *= fade
    }
  }
}

/** Adds rhythmic knocks with a period of `period` seconds: rails, a loom. */
function clatter(
  sound: Stereo,
  level: number,
  seed: string,
  knocks: readonly number[],
  period: number,
  pitch: number,
): void {
  const noise = noiseSource(`${seed} clatter`)
  const seconds = sound.left.length / SAMPLE_RATE
  for (let bar = 0; bar * period < seconds; bar++) {
    for (const [index, knock] of knocks.entries()) {
      const start = Math.floor((bar * period + knock) * SAMPLE_RATE)
      const length = Math.min(sound.left.length - start, 5200)
      const tone = (2 * Math.PI * pitch * (index % 2 === 0 ? 1 : 1.32)) / SAMPLE_RATE
      let slow = 0
      for (let at = 0; at < length; at++) {
        slow = slow * 0.86 + noise() * 0.14
        const value =
          (slow * 1.4 * Math.exp(-at / 700) + Math.sin(at * tone) * 0.25 * Math.exp(-at / 1100)) *
          level *
          Math.min(1, at / 40)
        sound.left[start + at] = sound.left[start + at]! + value * (index % 2 === 0 ? 0.7 : 0.4)
        sound.right[start + at] = sound.right[start + at]! + value * (index % 2 === 0 ? 0.4 : 0.7)
      }
    }
  }
}

/** Adds occasional rolls of thunder. */
function thunder(sound: Stereo, level: number, seed: string): void {
  const random = randomFrom(`${seed} thunder`)
  const noise = noiseSource(`${seed} rumble`)
  const seconds = sound.left.length / SAMPLE_RATE
  for (let when = 4 + random() * 4; when < seconds - 3; when += 7 + random() * 8) {
    const start = Math.floor(when * SAMPLE_RATE)
    const length = Math.min(sound.left.length - start, 5 * SAMPLE_RATE)
    const pan = 0.3 + random() * 0.4
    let slow = 0
    let slower = 0
    for (let at = 0; at < length; at++) {
      slow = slow * 0.985 + noise() * 0.015
      slower = slower * 0.99 + slow * 0.01
      const time = at / SAMPLE_RATE
      const roll =
        Math.min(1, time * 6) *
        Math.exp(-time * 0.9) *
        (0.65 + 0.35 * Math.sin(time * 9 + Math.sin(time * 5)))
      const value = (slow * 0.5 + slower * 5) * roll * level * 3
      sound.left[start + at] = sound.left[start + at]! + value * (1 - pan)
      sound.right[start + at] = sound.right[start + at]! + value * pan
    }
  }
}
