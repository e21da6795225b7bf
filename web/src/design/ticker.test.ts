import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Ticker } from './ticker.ts'

/** A page that can be hidden. */
class Page extends EventTarget {
  hidden = false

  set(hidden: boolean) {
    this.hidden = hidden
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('V3-28 everything is told each second, by one timer', () => {
  const { everySecond } = new Ticker(new Page())
  const first = vi.fn()
  const second = vi.fn()
  everySecond(first)
  everySecond(second)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(3000)
  expect(first).toHaveBeenCalledTimes(3)
  expect(second).toHaveBeenCalledTimes(3)
})

test('the timer rests when nobody listens any more', () => {
  const { everySecond } = new Ticker(new Page())
  const ends = [everySecond(() => {}), everySecond(() => {})]
  ends[0]?.()
  expect(vi.getTimerCount()).toBe(1)
  ends[1]?.()
  expect(vi.getTimerCount()).toBe(0)
})

test('a hidden page has no timer, and catches up at once when it is seen again', () => {
  const page = new Page()
  const told = vi.fn()
  const end = new Ticker(page).everySecond(told)
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

test('a page that is hidden from the start waits until it is seen', () => {
  const page = new Page()
  page.hidden = true
  new Ticker(page).everySecond(() => {})
  expect(vi.getTimerCount()).toBe(0)
})
