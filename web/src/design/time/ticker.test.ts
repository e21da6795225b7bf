import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Ticker } from './ticker.ts'

/** A fake document that can be hidden. */
class Page extends EventTarget {
  hidden = false

  set(hidden: boolean) {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

beforeEach(() => void vi.useFakeTimers({ now: 1_000_400 }))
afterEach(() => void vi.useRealTimers())

test('V3-28 one timer calls all listeners each second', () => {
  const { everySecond } = new Ticker(new Page(), Date.now)
  const first = vi.fn()
  const second = vi.fn()
  everySecond(first)
  everySecond(second)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(3000)
  expect(first).toHaveBeenCalledTimes(3)
  expect(second).toHaveBeenCalledTimes(3)
})

test('the timer stops when nobody listens any more', () => {
  const { everySecond } = new Ticker(new Page(), Date.now)
  const ends = [everySecond(() => {}), everySecond(() => {})]
  ends[0]?.()
  expect(vi.getTimerCount()).toBe(1)
  ends[1]?.()
  expect(vi.getTimerCount()).toBe(0)
})

test('a hidden page has no timer, and catches up as soon as it is visible again', () => {
  const page = new Page()
  const told = vi.fn()
  const end = new Ticker(page, Date.now).everySecond(told)
  page.set(true)
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(10_000)
  expect(told).not.toHaveBeenCalled()
  page.set(false)
  expect(told).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1000)
  expect(told).toHaveBeenCalledTimes(2)
  end()
  page.set(false)
  expect(told).toHaveBeenCalledTimes(2)
})

test('a page that is hidden from the start waits until it is visible', () => {
  const page = new Page()
  page.hidden = true
  new Ticker(page, Date.now).everySecond(() => {})
  expect(vi.getTimerCount()).toBe(0)
})

test('V3-28 listeners run when the second changes, and follow the seconds of a corrected clock', () => {
  let ahead = 0
  const now = () => Date.now() + ahead
  const told: number[] = []
  const ticker = new Ticker(new Page(), now)
  ticker.everySecond(() => told.push(now() % 1000))
  vi.advanceTimersByTime(3000)
  ahead = 250
  ticker.beat()
  vi.advanceTimersByTime(2000)
  expect(told).toHaveLength(6)
  const [, , , atOnce, ...onTheSecond] = told
  expect(atOnce).toBe(650)
  for (const late of [...told.slice(0, 3), ...onTheSecond]) expect(late).toBeLessThan(20)
})

test('many listeners that come and go share one timer', () => {
  const ticker = new Ticker(new Page(), Date.now)
  const ends = Array.from({ length: 50 }, () => ticker.everySecond(() => {}))
  vi.advanceTimersByTime(5000)
  expect(vi.getTimerCount()).toBe(1)
  for (const end of ends) end()
  expect(vi.getTimerCount()).toBe(0)
})
