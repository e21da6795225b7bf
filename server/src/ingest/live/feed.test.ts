import { expect, it, vi } from 'vitest'
import { Feed } from './feed.ts'
import { type FfmpegSource, type LiveSource, readSource } from './live-source.ts'

const SECRET = 'a-secret-of-the-studio'

it('tells of a source that refuses it, without its secrets', async () => {
  const stopping = new AbortController()
  const address = `srt://127.0.0.1:1?passphrase=${SECRET}&streamid=studio/1`
  const source = readSource(address) as Extract<LiveSource, FfmpegSource>
  const feed = new Feed({
    source,
    open: async () => ({ source }),
    onCut: () => undefined,
    onFault: (error) => {
      throw error
    },
    onTeletextFault: () => undefined,
    now: () => Date.now(),
    signal: stopping.signal,
  })
  const running = feed.run()
  await vi.waitFor(() => expect(feed.state.trouble).not.toBeNull(), { timeout: 15_000 })
  stopping.abort(new Error('the test is over'))
  await running
  expect(feed.state.trouble).toMatch(/the source/)
  expect(feed.state.trouble).not.toMatch(/secret|passphrase|streamid|studio/)
})

it('tries a source again after a fault that has no message, and reports it once', async () => {
  const stopping = new AbortController()
  const fault = Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' })
  const faults: unknown[] = []
  let tries = 0
  vi.useFakeTimers()
  const feed = new Feed({
    source: readSource('udp://127.0.0.1:5000'),
    open: async () => {
      if (++tries === 4) stopping.abort(new Error('the test is over'))
      throw fault
    },
    onCut: () => undefined,
    onFault: (error) => faults.push(error),
    onTeletextFault: () => undefined,
    now: () => Date.now(),
    signal: stopping.signal,
  })
  const running = feed.run()
  await vi.advanceTimersByTimeAsync(20_000)
  vi.useRealTimers()
  await running
  expect(tries).toBe(4)
  expect(faults).toEqual([fault])
  expect(feed.state.trouble).toMatch(/fault of this program/)
})
