import { expect, it, vi } from 'vitest'
import { refreshOn } from './refresh.ts'

function follow(refresh: () => Promise<void>, signal: AbortSignal) {
  const warn = vi.fn()
  let tell = () => {}
  const on = (_topic: string, heard: (ids: null) => void) => {
    tell = () => heard(null)
  }
  const request = refreshOn({ on }, 'keys', { log: { warn }, signal }, refresh)
  return { warn, tell: () => tell(), request }
}

it('reads again after a failure, and after changes during a read', async () => {
  const refresh = vi.fn(async () => {}).mockRejectedValueOnce(new Error('the database is away'))
  const { warn, tell } = follow(refresh, new AbortController().signal)
  tell()
  tell()
  await expect.poll(() => refresh.mock.calls.length).toBe(2)
  expect(warn).toHaveBeenCalledTimes(1)
})

it('reads again when it is asked to, one read after the other', async () => {
  const read = Promise.withResolvers<void>()
  const refresh = vi.fn(async () => await read.promise)
  const { tell, request } = follow(refresh, new AbortController().signal)
  tell()
  request()
  request()
  expect(refresh).toHaveBeenCalledTimes(1)
  read.resolve()
  await expect.poll(() => refresh.mock.calls.length).toBe(2)
})

it('ends the pause after a failure when something changes', async () => {
  // With fake timers, the pauses never end by themselves.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const refresh = vi.fn(async () => {
      throw new Error('the database is away')
    })
    const { warn, tell } = follow(refresh, new AbortController().signal)
    for (let failures = 1; failures <= 8; failures++) {
      tell()
      await vi.advanceTimersByTimeAsync(0)
      expect(warn).toHaveBeenCalledTimes(failures)
    }
  } finally {
    vi.useRealTimers()
  }
})

it('does not read again when the process ends', async () => {
  const ending = new AbortController()
  const refresh = vi.fn(async () => {
    ending.abort()
    throw new Error('the database is closed')
  })
  const { warn, tell } = follow(refresh, ending.signal)
  tell()
  await expect.poll(() => refresh.mock.settledResults[0]?.type).toBe('rejected')
  tell()
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(warn).not.toHaveBeenCalled()
})
