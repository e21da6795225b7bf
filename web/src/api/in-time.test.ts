import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTime } from './in-time.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('V2.1-16 an answer in time is passed on, and so is its failure', async () => {
  expect(await inTime(Promise.resolve('page'), 8000)).toBe('page')
  await expect(inTime(Promise.reject(new TypeError('Failed to fetch')), 8000)).rejects.toThrow(TypeError)
  expect(vi.getTimerCount()).toBe(0)
})

test('V2.1-16 a page without an answer in 8 s fails', async () => {
  const late = Promise.withResolvers<string>()
  const given = expect(inTime(late.promise, 8000)).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(8000)
  late.resolve('page')
  await given
})
