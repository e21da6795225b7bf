import { describe, expect, it } from 'vitest'
import { EncodingPace, LadderRest } from './encoding-pace.ts'

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

it('issue 19: a picture that stops while the sound goes on is not too slow', () => {
  const pace = new EncodingPace()
  expect(fallsBehindAfter(pace, 10, 1)).toBeNull()
  for (let ms = 0; ms < 20_000; ms += 100) expect(pace.fallsBehind(9.9, 10_000 + ms)).toBe(false)
  // The source lost that time: its next frame has a later time, or the time at which the picture stopped.
  expect(fallsBehindAfter(pace, 10, 1, 30_000)).toBeNull()
})

const MINUTE = 60_000

/** Returns how long a rest that begins at `now` lasts, in minutes, and ends it. */
function minutesOf(rest: LadderRest, now: number): number {
  rest.begin(now)
  for (let minutes = 0; ; minutes++) if (rest.isOver(now + minutes * MINUTE)) return minutes
}

describe('issue 19: the rest of the lower renditions', () => {
  it('is twice as long each time, up to a day', () => {
    const rest = new LadderRest()
    const lengths: number[] = []
    for (let now = 0; lengths.length < 10; ) {
      const minutes = minutesOf(rest, now)
      expect(rest.isResting).toBe(false)
      lengths.push(minutes)
      now += (minutes + 1) * MINUTE
    }
    expect(lengths).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440])
  })

  it('is short again after an attempt that lasted longer than the rest before it', () => {
    const rest = new LadderRest()
    expect([minutesOf(rest, 0), minutesOf(rest, 11 * MINUTE)]).toEqual([10, 20])
    expect(minutesOf(rest, 52 * MINUTE)).toBe(10)
  })

  it('ends early with another source, which does not make the next rest short', () => {
    const rest = new LadderRest()
    rest.begin(0)
    rest.end(MINUTE)
    expect([rest.isResting, rest.isOver(20 * MINUTE)]).toEqual([false, false])
    expect(minutesOf(rest, 2 * MINUTE)).toBe(20)
  })
})
