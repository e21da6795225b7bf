import { describe, expect, it } from 'vitest'
import {
  framesPerSegment,
  measureRate,
  outputRate,
  perSecond,
  segmentSeconds,
  videoTimescale,
} from './frame-rate.ts'

const every = (count: number, time: (index: number) => number) =>
  Array.from({ length: count }, (_, n) => time(n))

describe('the output rate', () => {
  it.each([
    [24, 24],
    [23.976, 24000 / 1001],
    [29.97, 30000 / 1001],
    [30, 30],
    [12.5, 12.5],
    [17, 17],
    [59.94, 60000 / 1001],
    [119.88, 60000 / 1001],
    [120, 60],
    [144, 48],
    [1000, 50],
    [90, 30],
    [61.7, 30],
    [18.3, 20],
    [1, 5],
    [0, 5],
  ])('of %d frames a second is %d', (source, output) => {
    expect(perSecond(outputRate(source, false))).toBeCloseTo(output, 9)
  })

  it('of a variable source is a standard rate', () => {
    expect(perSecond(outputRate(17, true))).toBe(20)
    expect(perSecond(outputRate(27.3, true))).toBeCloseTo(30000 / 1001, 9)
  })

  it('always gives whole frames per segment and whole ticks per frame', () => {
    for (let source = 0.1; source < 250; source += 0.13) {
      const rate = outputRate(source, false)
      expect(Number.isInteger(framesPerSegment(rate))).toBe(true)
      expect(Math.abs(segmentSeconds(rate) - 4)).toBeLessThan(0.0041)
      expect(((videoTimescale(rate) * rate.denominator) / rate.numerator) % 1).toBe(0)
      expect(perSecond(rate)).toBeLessThanOrEqual(60)
    }
  })
})

describe('measuring', () => {
  it('finds a constant rate, also when times are rounded to milliseconds', () => {
    expect(measureRate(every(500, (n) => n / 25))).toEqual({ framesPerSecond: 25, variable: false })
    const rounded = every(5000, (n) => Math.round((n * 1001 * 1000) / 24000) / 1000)
    expect(measureRate(rounded)).toEqual({ framesPerSecond: 24000 / 1001, variable: false })
    expect(measureRate(every(300, (n) => n / 1000))).toEqual({ framesPerSecond: 1000, variable: false })
  })

  it('treats a missing frame as a variable rate', () => {
    const holed = every(500, (n) => (n + (n > 250 ? 1 : 0)) / 25)
    expect(measureRate(holed).variable).toBe(true)
  })

  it('uses the rate in motion for a picture that pauses', () => {
    const still = [...every(100, (n) => n / 30), ...every(5, (n) => 10 + n * 4)]
    const { framesPerSecond, variable } = measureRate(still)
    expect(variable).toBe(true)
    expect(framesPerSecond).toBeCloseTo(30, 6)
  })

  it('finds no rate for fewer than two frames', () => {
    expect(measureRate([])).toEqual({ framesPerSecond: 0, variable: true })
    expect(measureRate([3])).toEqual({ framesPerSecond: 0, variable: true })
    expect(measureRate([3, 3])).toEqual({ framesPerSecond: 0, variable: true })
  })
})
