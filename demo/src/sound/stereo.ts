/** Sample rate of all sound, in hertz. */
export const SAMPLE_RATE = 48_000

/** Samples of two audio channels. When a sound is finished, they are from about -1 to 1. */
export interface Stereo {
  readonly left: Float32Array
  readonly right: Float32Array
}

/** Returns a silent sound of `seconds`. */
export function silence(seconds: number): Stereo {
  const length = Math.max(1, Math.round(seconds * SAMPLE_RATE))
  return { left: new Float32Array(length), right: new Float32Array(length) }
}

/** Adds `source`, multiplied by `gain`, to `target`. */
export function addInto(target: Stereo, source: Stereo, gain: number): void {
  for (const side of ['left', 'right'] as const) {
    const to = target[side]
    const from = source[side]
    for (let at = 0; at < to.length; at++) to[at] = to[at]! + from[at]! * gain
  }
}

/** Fades in from silence at the beginning of a sound, and out to silence at its end. */
export function fadeEnds(sound: Stereo, inSeconds: number, outSeconds: number): void {
  for (const samples of [sound.left, sound.right]) {
    const first = Math.min(samples.length, Math.round(inSeconds * SAMPLE_RATE))
    for (let at = 0; at < first; at++) samples[at] = samples[at]! * (at / first)
    const last = Math.min(samples.length, Math.round(outSeconds * SAMPLE_RATE))
    for (let at = 0; at < last; at++) {
      const index = samples.length - 1 - at
      samples[index] = samples[index]! * (at / last)
    }
  }
}
