import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Countdown } from './countdown.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('V9-10 lasts 5000 ms and steps every 200 ms', () => {
  const steps: number[] = []
  new Countdown((share) => steps.push(share)).run()
  vi.advanceTimersByTime(199)
  expect(steps).toEqual([])
  vi.advanceTimersByTime(1)
  expect(steps).toEqual([0.04])
  vi.advanceTimersByTime(4799)
  expect(steps).toHaveLength(24)
  expect(steps.at(-1)).toBeLessThan(1)
  vi.advanceTimersByTime(1)
  expect(steps).toHaveLength(25)
  expect(steps.at(-1)).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('pauses while it is held, and then continues from there', () => {
  const steps: number[] = []
  const countdown = new Countdown((share) => steps.push(share))
  countdown.run()
  vi.advanceTimersByTime(1000)
  countdown.hold()
  vi.advanceTimersByTime(60_000)
  expect(steps.at(-1)).toBe(0.2)
  countdown.run()
  vi.advanceTimersByTime(4000)
  expect(steps.at(-1)).toBe(1)
})

test('runs once, however often it is started', () => {
  const step = vi.fn()
  const countdown = new Countdown(step, 400)
  countdown.run()
  countdown.run()
  vi.advanceTimersByTime(400)
  expect(step).toHaveBeenCalledTimes(2)
  countdown.run()
  vi.advanceTimersByTime(5000)
  expect(step).toHaveBeenCalledTimes(2)
})

test('accepts another duration', () => {
  const steps: number[] = []
  new Countdown((share) => steps.push(share), 500).run()
  vi.advanceTimersByTime(600)
  expect(steps).toEqual([0.4, 0.8, 1])
})
