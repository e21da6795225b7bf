import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchTexts } from '../../../words/fetch-words.ts'
import { fetchNewer } from './configuration-query.ts'

vi.mock('../../../api/environment.ts', () => ({ environment: () => ({ identityKey: 'demo' }) }))

beforeEach(() => {
  vi.useFakeTimers()
  // Fake timers do not cover this function.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const limit = new AbortController()
    setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), milliseconds)
    return limit.signal
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The files that the app fetches before it shows anything. */
const FILES: [what: string, ask: () => Promise<unknown>][] = [
  ['texts', async () => await fetchTexts('/translations/demo/fra.0.json')],
  ['the configuration', async () => await fetchNewer(undefined)],
]

test.each(FILES)('V4-06 a start waits 15 s for the first bytes of %s', async (_what, ask) => {
  vi.stubGlobal('fetch', async () => await new Promise<Response>(() => {}))
  const failed = vi.fn<(error: unknown) => void>()
  ask().catch(failed)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'TimeoutError' }))
})

test.each(FILES)('V4-06 a start gets %s from a slow connection', async (_what, ask) => {
  vi.stubGlobal('fetch', async (_address: string, { signal }: RequestInit = {}) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        signal?.addEventListener('abort', () => controller.error(signal.reason))
        setTimeout(() => {
          if (signal?.aborted === true) return
          controller.enqueue(new TextEncoder().encode('{"home":{}}'))
          controller.close()
        }, 20_000)
      },
    })
    return new Response(body)
  })
  const arrived = expect(ask()).resolves.toBeDefined()
  await vi.advanceTimersByTimeAsync(40_000)
  await arrived
})
