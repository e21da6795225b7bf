import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSteps } from './use-steps.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Creates steps that record the sent and the shown values. */
function recorded() {
  const sent: number[] = []
  const shown: (number | undefined)[] = []
  const steps = createSteps((value) => shown.push(value))
  steps.sendBy((value) => sent.push(value))
  return { sent, shown, steps }
}

test('V4-51 a slider that is dragged sends its last value once, when it is released', () => {
  const { sent, shown, steps } = recorded()
  for (const value of [10, 20, 30]) steps.drag(value)
  vi.advanceTimersByTime(5000)
  expect(sent).toEqual([])
  steps.release()
  // When the slider loses the focus, it calls `release` again. The value must not be sent twice.
  steps.release()
  expect([sent, shown]).toEqual([[30], [10, 20, 30]])
  vi.advanceTimersByTime(1000)
  steps.release()
  expect([sent, shown.at(-1)]).toEqual([[30], undefined])
})

test('V4-51 presses in a row send one position, and a later press continues from there', () => {
  const { sent, shown, steps } = recorded()
  for (const value of [70, 80, 90]) {
    steps.press(value)
    vi.advanceTimersByTime(300)
  }
  expect(sent).toEqual([])
  vi.advanceTimersByTime(100)
  expect(sent).toEqual([90])
  vi.advanceTimersByTime(900)
  expect(shown.at(-1)).toBe(90)
  steps.press(100)
  vi.advanceTimersByTime(400)
  expect(sent).toEqual([90, 100])
  vi.advanceTimersByTime(1000)
  expect(shown.at(-1)).toBeUndefined()
})

test('V4-51 controls that disappear send what the viewer still wanted', () => {
  const { sent, steps } = recorded()
  steps.press(70)
  steps.end()
  vi.advanceTimersByTime(5000)
  expect(sent).toEqual([70])
})
