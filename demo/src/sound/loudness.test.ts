import { describe, expect, it } from 'vitest'
import { loudness, normalise } from './loudness.ts'
import { perform, TARGET_LOUDNESS } from './score.ts'
import { SCORES } from './scores.ts'
import { SAMPLE_RATE, type Stereo, silence } from './stereo.ts'

function tone(seconds: number, decibels: number): Stereo {
  const sound = silence(seconds)
  const level = 10 ** (decibels / 20)
  for (const samples of [sound.left, sound.right]) {
    for (let at = 0; at < samples.length; at++)
      samples[at] = level * Math.sin((2 * Math.PI * 997 * at) / SAMPLE_RATE)
  }
  return sound
}

function peak({ left, right }: Stereo): number {
  let highest = 0
  for (const samples of [left, right])
    for (const sample of samples) highest = Math.max(highest, Math.abs(sample))
  return highest
}

describe('loudness', () => {
  it('measures the reference tone of EBU Tech 3341 to a tenth', () => {
    expect(loudness(tone(5, -23))).toBeCloseTo(-23, 1)
    expect(loudness(tone(5, -33))).toBeCloseTo(-33, 1)
  })

  it('leaves silence alone', () => {
    const quiet = silence(2)
    normalise(quiet, TARGET_LOUDNESS)
    expect(loudness(quiet)).toBe(Number.NEGATIVE_INFINITY)
    expect(peak(quiet)).toBe(0)
  })

  it('never clips, however loud the sound was', () => {
    const loud = tone(2, 30)
    normalise(loud, -3)
    expect(peak(loud)).toBeLessThan(0.9)
  })
})

describe('a score', () => {
  it('is as loud as all others, without clipping, with another melody in each language', () => {
    const tracks = perform(SCORES.moire, 12, ['fra', 'eng'], 'test')
    const [french, english] = [tracks.get('fra'), tracks.get('eng')]
    if (french === undefined || english === undefined) throw new Error('A language is missing')
    for (const sound of [french, english]) {
      expect(loudness(sound)).toBeGreaterThan(TARGET_LOUDNESS - 0.7)
      expect(loudness(sound)).toBeLessThan(TARGET_LOUDNESS + 0.3)
      expect(peak(sound)).toBeLessThan(0.9)
    }
    expect(french.left).not.toEqual(english.left)
  })

  it('sounds the same each time', () => {
    expect(perform(SCORES.ink, 3, ['fra'], 'seed')).toEqual(perform(SCORES.ink, 3, ['fra'], 'seed'))
  })
})
