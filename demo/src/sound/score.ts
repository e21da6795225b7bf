import { randomFrom } from '../random.ts'
import type { LanguageCode } from '../title.ts'
import { type BedName, layBed } from './beds.ts'
import { play, type Voice } from './instruments.ts'
import { normalise } from './loudness.ts'
import { reverb } from './reverb.ts'
import { addInto, fadeEnds, SAMPLE_RATE, type Stereo, silence } from './stereo.ts'

/** Loudness of all music, in LUFS. */
export const TARGET_LOUDNESS = -20

/** The melody in one language of a film. All other parts of the music are the same in all languages. */
interface Melody {
  readonly voice: Voice
  /** Number of octaves above the root. */
  readonly octave: number
  /** Fraction of the steps on which a note is played, from 0 to 1. */
  readonly density: number
  readonly level: number
  /** Length of a step, in beats. */
  readonly step: number
}

/** The music for the drawings of a title (its world, see `worlds/`). */
export interface Score {
  /** Beats per minute. */
  readonly tempo: number
  /** MIDI pitch of the root. */
  readonly root: number
  /** Notes of the scale, in semitones above the root. */
  readonly scale: readonly number[]
  /** The chords in sequence. Each is a list of degrees of the scale. */
  readonly chords: readonly (readonly number[])[]
  readonly beatsPerChord: number
  readonly pad: { readonly voice: Voice; readonly level: number }
  readonly melody: Readonly<Record<LanguageCode, Melody>>
  readonly bass?: {
    readonly voice: Voice
    readonly level: number
    /** Number of notes per chord. */
    readonly notes: number
  }
  /** Plays the notes of the chord one after the other. */
  readonly arpeggio?: {
    readonly voice: Voice
    readonly level: number
    readonly perBeat: number
    readonly octave: number
  }
  /** Rhythms of the kick drum and the hi-hat, in steps of half a beat. */
  readonly drums?: { readonly kick: string; readonly hat: string; readonly level: number }
  readonly beds: readonly { readonly bed: BedName; readonly level: number }[]
  /** Size of the room for the echo, from 0 to 1. */
  readonly room: number
}

/** Plays `score` for `seconds`, with the melody of each of `languages`, at {@link TARGET_LOUDNESS}. */
export function perform(
  score: Score,
  seconds: number,
  languages: readonly LanguageCode[],
  seed: string,
): Map<LanguageCode, Stereo> {
  const ground = silence(seconds)
  playGround(ground, score, seconds)
  const dry = silence(seconds)
  for (const { bed, level } of score.beds) layBed(dry, bed, level, `${seed} ${bed}`)
  if (score.drums !== undefined) playDrums(dry, score, score.drums, seconds, seed)
  const tracks = new Map<LanguageCode, Stereo>()
  for (const language of languages) {
    const sound = silence(seconds)
    addInto(sound, ground, 1)
    playMelody(sound, score, score.melody[language], seconds, `${seed} ${language}`)
    const echo = reverb(sound, score.room)
    addInto(sound, echo, 0.035 + 0.05 * score.room)
    addInto(sound, dry, 1)
    fadeEnds(sound, Math.min(1.5, seconds / 8), Math.min(4, seconds / 5))
    normalise(sound, TARGET_LOUDNESS)
    tracks.set(language, sound)
  }
  return tracks
}

function pitchOf(score: Score, degree: number, octave: number): number {
  const count = score.scale.length
  const wrapped = ((degree % count) + count) % count
  return score.root + score.scale[wrapped]! + 12 * (Math.floor(degree / count) + octave)
}

function playGround(sound: Stereo, score: Score, seconds: number): void {
  const beat = 60 / score.tempo
  const chordLength = beat * score.beatsPerChord
  for (let index = 0; index * chordLength < seconds; index++) {
    const chord = score.chords[index % score.chords.length]!
    const start = index * chordLength
    for (const [place, degree] of chord.entries()) {
      const pan = chord.length < 2 ? 0 : (place / (chord.length - 1) - 0.5) * 1.1
      play(sound, score.pad.voice, {
        start,
        length: chordLength,
        pitch: pitchOf(score, degree, 1),
        level: score.pad.level,
        pan,
      })
    }
    if (score.bass !== undefined) {
      const { voice, level, notes } = score.bass
      for (let note = 0; note < notes; note++) {
        const length = chordLength / notes
        play(sound, voice, {
          start: start + note * length,
          length: length * 0.8,
          pitch: pitchOf(score, chord[0]!, -1),
          level,
          pan: 0,
        })
      }
    }
    if (score.arpeggio !== undefined) {
      const { voice, level, perBeat, octave } = score.arpeggio
      const count = Math.round(score.beatsPerChord * perBeat)
      for (let note = 0; note < count; note++) {
        // The notes of the chord rise and then fall. The highest note is one octave higher.
        const turn = chord.length * 2
        const place = note % turn
        const up = place < chord.length ? place : turn - 1 - place
        const pitch = pitchOf(score, chord[up]!, octave + (place === chord.length - 1 ? 1 : 0))
        const accent = note % 4 === 0 ? 1 : 0.66
        play(sound, voice, {
          start: start + (note * beat) / perBeat,
          length: beat / perBeat,
          pitch,
          level: level * accent,
          pan: Math.sin(note * 0.9) * 0.55,
        })
      }
    }
  }
}

function playMelody(sound: Stereo, score: Score, melody: Melody, seconds: number, seed: string): void {
  const random = randomFrom(seed)
  const beat = 60 / score.tempo
  const stepLength = beat * melody.step
  let degree = Math.floor(random() * 4) + 2
  // Repeats a phrase of eight steps with variations, so that listeners recognise a melody.
  const phrase = Array.from({ length: 8 }, (_, index) => ({
    rest: random() > melody.density && index % 4 !== 0,
    move: Math.round((random() - 0.5) * 5),
  }))
  for (let index = 0, start = beat * 2; start < seconds - 3; index++, start += stepLength) {
    const plan = phrase[index % 8]!
    const varied = random() < 0.22
    if (plan.rest !== varied && plan.rest) continue
    const chord = score.chords[Math.floor(start / (beat * score.beatsPerChord)) % score.chords.length]!
    if (index % 4 === 0)
      degree = chord[Math.floor(random() * chord.length)]! + (random() < 0.3 ? score.scale.length : 0)
    else degree += plan.move === 0 ? 1 : Math.sign(plan.move) * Math.min(2, Math.abs(plan.move))
    degree = Math.max(-1, Math.min(score.scale.length + 5, degree))
    play(sound, melody.voice, {
      start: start + (random() - 0.5) * 0.02,
      length: stepLength * (random() < 0.3 ? 1.6 : 0.9),
      pitch: pitchOf(score, degree, melody.octave),
      level: melody.level * (0.7 + random() * 0.3),
      pan: (random() - 0.5) * 0.7,
    })
  }
}

function playDrums(
  sound: Stereo,
  score: Score,
  drums: NonNullable<Score['drums']>,
  seconds: number,
  seed: string,
): void {
  const random = randomFrom(`${seed} drums`)
  const stepLength = 30 / score.tempo
  for (let index = 0; index * stepLength < seconds; index++) {
    const start = Math.floor(index * stepLength * SAMPLE_RATE)
    if (drums.kick[index % drums.kick.length] === 'x') {
      const length = Math.min(sound.left.length - start, 12_000)
      let phase = 0
      for (let at = 0; at < length; at++) {
        phase += (2 * Math.PI * (46 + 110 * Math.exp(-at / 900))) / SAMPLE_RATE
        const value = Math.sin(phase) * Math.exp(-at / 4200) * drums.level * Math.min(1, at / 30)
        sound.left[start + at] = sound.left[start + at]! + value
        sound.right[start + at] = sound.right[start + at]! + value
      }
    }
    if (drums.hat[index % drums.hat.length] === 'x') {
      const length = Math.min(sound.left.length - start, 2600)
      let before = 0
      for (let at = 0; at < length; at++) {
        const noise = random() * 2 - 1
        const value = (noise - before) * Math.exp(-at / 420) * drums.level * 0.16
        before = noise
        sound.left[start + at] = sound.left[start + at]! + value * (index % 4 === 1 ? 1 : 0.6)
        sound.right[start + at] = sound.right[start + at]! + value * (index % 4 === 1 ? 0.6 : 1)
      }
    }
  }
}
