import { describe, expect, it } from 'vitest'
import { EncodingPace } from './encoding-pace.ts'

/** Sends media of `seconds` at `speed`, ten times a second. @returns after how many seconds it falls behind, if ever */
function fallsBehindAfter(pace: EncodingPace, seconds: number, speed: number, fromMs = 0): number | null {
  for (let ms = 0; ms < seconds * 1000; ms += 100)
    if (pace.fallsBehind((fromMs + ms * speed) / 1000, fromMs + ms)) return ms / 1000
  return null
}

describe('issue 19: the pace of encoding', () => {
  it('is too slow once media is 4 s behind', () => {
    expect(fallsBehindAfter(new EncodingPace(), 60, 0.8)).toBeCloseTo(21, 0)
  })

  it('is fast enough if the clock of the source is a little slow, for an hour', () => {
    expect(fallsBehindAfter(new EncodingPace(), 3600, 0.995)).toBeNull()
  })

  it('does not count a pause of the source, and media that ffmpeg has read ahead', () => {
    const pace = new EncodingPace()
    // Ten seconds arrive at once.
    for (let second = 0; second <= 10; second++) pace.fallsBehind(second, 10_000)
    expect(fallsBehindAfter(pace, 10, 1, 10_000)).toBeNull()
    // The source stops for 8 s, and then goes on with the next frame.
    for (let ms = 0; ms < 10_000; ms += 100)
      expect(pace.fallsBehind((20_000 + ms) / 1000, 28_000 + ms)).toBe(false)
  })
})
