import { randomFrom } from '../random.ts'
import { SAMPLE_RATE, type Stereo } from './stereo.ts'

const TABLE_SIZE = 4096
const TABLE_MASK = TABLE_SIZE - 1

/** A note to play. */
export interface Note {
  /** Start in seconds. */
  readonly start: number
  /** Seconds until the note is released. */
  readonly length: number
  /** MIDI pitch. 69 is 440 Hz. */
  readonly pitch: number
  /** Volume from 0 to 1. */
  readonly level: number
  /** Position from -1 (left) to 1 (right). */
  readonly pan: number
}

/** The instruments that play the scores. */
export type Voice =
  | 'warm'
  | 'glass'
  | 'strings'
  | 'organ'
  | 'bell'
  | 'pluck'
  | 'flute'
  | 'marimba'
  | 'piano'
  | 'sub'
  | 'pulse'

/** Computes one period of a wave from the strengths of its harmonics. */
function waveTable(harmonics: readonly number[]): Float32Array {
  const table = new Float32Array(TABLE_SIZE)
  const total = harmonics.reduce((sum, strength) => sum + Math.abs(strength), 0)
  for (let at = 0; at < TABLE_SIZE; at++) {
    let sum = 0
    for (const [index, strength] of harmonics.entries())
      sum += Math.sin((2 * Math.PI * at * (index + 1)) / TABLE_SIZE) * strength
    table[at] = sum / total
  }
  return table
}

const TABLES = {
  sine: waveTable([1]),
  warm: waveTable([1, 0.5, 0.22, 0.12, 0.06, 0.03]),
  glass: waveTable([1, 0, 0.22, 0, 0.3, 0, 0.05, 0.16]),
  strings: waveTable([1, 0.62, 0.46, 0.34, 0.26, 0.18, 0.13, 0.1, 0.07, 0.05]),
  organ: waveTable([1, 0.8, 0.1, 0.55, 0, 0.2, 0, 0.3]),
  flute: waveTable([1, 0.16, 0.1, 0.02]),
  pulse: waveTable([1, 0, 0.5, 0, 0.33, 0, 0.22, 0, 0.14]),
}

/** Returns the frequency of a MIDI pitch, in hertz. */
function hertz(pitch: number): number {
  return 440 * 2 ** ((pitch - 69) / 12)
}

/** Adds a note to `sound`. */
export function play(sound: Stereo, voice: Voice, note: Note): void {
  switch (voice) {
    case 'warm':
      return sustained(sound, note, {
        table: TABLES.warm,
        attack: 1.4,
        release: 2.4,
        detune: 0.0035,
        tremble: 0.1,
      })
    case 'glass':
      return sustained(sound, note, {
        table: TABLES.glass,
        attack: 1.8,
        release: 3,
        detune: 0.002,
        tremble: 0.25,
      })
    case 'strings':
      return sustained(sound, note, {
        table: TABLES.strings,
        attack: 1.1,
        release: 1.6,
        detune: 0.005,
        tremble: 0.14,
      })
    case 'organ':
      return sustained(sound, note, {
        table: TABLES.organ,
        attack: 0.35,
        release: 0.9,
        detune: 0.0012,
        tremble: 0.08,
      })
    case 'flute':
      return sustained(sound, note, {
        table: TABLES.flute,
        attack: 0.09,
        release: 0.35,
        detune: 0.0009,
        tremble: 0.22,
        vibrato: 5.2,
      })
    case 'sub':
      return sustained(sound, note, { table: TABLES.sine, attack: 0.12, release: 0.6, detune: 0, tremble: 0 })
    case 'pulse':
      return sustained(sound, note, {
        table: TABLES.pulse,
        attack: 0.006,
        release: 0.1,
        detune: 0.004,
        tremble: 0,
      })
    case 'bell':
      return struck(sound, note, {
        partials: [
          [1, 1, 1],
          [2.76, 0.45, 0.6],
          [5.4, 0.22, 0.35],
          [8.93, 0.1, 0.2],
        ],
        decay: 3.2,
      })
    case 'marimba':
      return struck(sound, note, {
        partials: [
          [1, 1, 1],
          [3.93, 0.3, 0.25],
          [9.2, 0.08, 0.12],
        ],
        decay: 0.75,
      })
    case 'piano':
      return struck(sound, note, {
        partials: [
          [1, 1, 1],
          [2.001, 0.5, 0.8],
          [3.004, 0.28, 0.6],
          [4.01, 0.14, 0.45],
          [5.02, 0.08, 0.3],
        ],
        decay: 2.3,
      })
    case 'pluck':
      return plucked(sound, note)
  }
}

interface Sustain {
  readonly table: Float32Array
  readonly attack: number
  readonly release: number
  /**
   * Relative deviation of the two strings of a note from the note's frequency. One string is higher, the other is
   * lower.
   */
  readonly detune: number
  /** Strength of the tremolo. */
  readonly tremble: number
  /** Frequency of the vibrato, in hertz. */
  readonly vibrato?: number
}

function sustained(
  sound: Stereo,
  note: Note,
  { table, attack, release, detune, tremble, vibrato }: Sustain,
): void {
  const start = Math.round(note.start * SAMPLE_RATE)
  const total = Math.round((note.length + release) * SAMPLE_RATE)
  const end = Math.min(sound.left.length, start + total)
  const step = (hertz(note.pitch) * TABLE_SIZE) / SAMPLE_RATE
  const attackSamples = Math.min(attack, note.length * 0.7) * SAMPLE_RATE
  const releaseFrom = note.length * SAMPLE_RATE
  const releaseSamples = release * SAMPLE_RATE
  const [left, right] = gains(note)
  const wobble = (2 * Math.PI * (0.11 + (note.pitch % 7) * 0.023)) / SAMPLE_RATE
  const shake = vibrato === undefined ? 0 : (2 * Math.PI * vibrato) / SAMPLE_RATE
  let first = (note.pitch * 531) % TABLE_SIZE
  let second = (note.pitch * 977) % TABLE_SIZE
  let envelope = 0
  let waver = 1
  let bend = 1
  for (let at = Math.max(0, start); at < end; at++) {
    const passed = at - start
    if ((passed & 31) === 0) {
      const rise = passed < attackSamples ? passed / attackSamples : 1
      const fall = passed > releaseFrom ? Math.max(0, 1 - (passed - releaseFrom) / releaseSamples) : 1
      envelope = rise * rise * fall * fall
      waver = 1 - tremble * (0.5 + 0.5 * Math.sin(passed * wobble + note.pitch))
      bend =
        shake === 0 ? 1 : 1 + Math.sin(passed * shake) * 0.0035 * Math.min(1, passed / (0.4 * SAMPLE_RATE))
    }
    const gain = envelope * waver
    const a = table[first & TABLE_MASK]! * gain
    const b = table[second & TABLE_MASK]! * gain
    sound.left[at] = sound.left[at]! + (a * 0.65 + b * 0.35) * left
    sound.right[at] = sound.right[at]! + (a * 0.35 + b * 0.65) * right
    first += step * (1 + detune) * bend
    second += step * (1 - detune) * bend
  }
}

interface Strike {
  /**
   * The partials of a note. Each has a frequency as a multiple of the note's frequency, a strength, and a decay as
   * a fraction of the note's decay.
   */
  readonly partials: readonly (readonly [number, number, number])[]
  /** Time in which a middle C decays by about 60 dB, in seconds. */
  readonly decay: number
}

function struck(sound: Stereo, note: Note, { partials, decay }: Strike): void {
  const start = Math.max(0, Math.round(note.start * SAMPLE_RATE))
  const seconds = decay * 2 ** ((60 - note.pitch) / 24)
  const end = Math.min(sound.left.length, start + Math.round(seconds * SAMPLE_RATE))
  const [left, right] = gains(note)
  const table = TABLES.sine
  for (const [multiple, strength, share] of partials) {
    const step = (hertz(note.pitch) * multiple * TABLE_SIZE) / SAMPLE_RATE
    if (step > TABLE_SIZE / 2.2) continue
    const fade = Math.exp(-6.9 / (seconds * share * SAMPLE_RATE))
    let level = strength * 0.6
    let phase = 0
    for (let at = start; at < end && level > 0.0004; at++) {
      // The volume rises within four milliseconds. Without this rise, each note would begin with a click.
      const onset = at - start < 192 ? (at - start) / 192 : 1
      const value = table[phase & TABLE_MASK]! * level * onset
      sound.left[at] = sound.left[at]! + value * left
      sound.right[at] = sound.right[at]! + value * right
      phase += step
      level *= fade
    }
  }
}

/**
 * Plays a plucked string by the Karplus-Strong method: noise circulates in a delay line and loses its high
 * frequencies.
 */
function plucked(sound: Stereo, note: Note): void {
  const period = Math.max(2, Math.round(SAMPLE_RATE / hertz(note.pitch)))
  const random = randomFrom(`string ${note.pitch} ${note.start.toFixed(3)}`)
  const line = Float32Array.from({ length: period }, () => random() * 2 - 1)
  for (let pass = 0; pass < 2; pass++) {
    for (let at = 0; at < period; at++) line[at] = (line[at]! + line[(at + 1) % period]!) / 2
  }
  const start = Math.max(0, Math.round(note.start * SAMPLE_RATE))
  const end = Math.min(sound.left.length, start + Math.round(2.6 * SAMPLE_RATE))
  const [left, right] = gains(note)
  let index = 0
  for (let at = start; at < end; at++) {
    const next = index + 1 === period ? 0 : index + 1
    const value = line[index]!
    line[index] = (value + line[next]!) * 0.498
    sound.left[at] = sound.left[at]! + value * left
    sound.right[at] = sound.right[at]! + value * right
    index = next
  }
}

function gains({ level, pan }: Note): [number, number] {
  const angle = ((pan + 1) * Math.PI) / 4
  return [Math.cos(angle) * level, Math.sin(angle) * level]
}
