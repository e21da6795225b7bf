import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FileError } from './failure.ts'
import { fetchFile } from './stored-files.ts'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  fetched.mockReset()
  vi.unstubAllGlobals()
})

test('a file of a download does not go into the HTTP cache', async () => {
  vi.stubGlobal('fetch', fetched.mockResolvedValue(new Response('segment')))
  expect(await (await fetchFile('/media/a/v720/1.m4s')).text()).toBe('segment')
  expect(fetched).toHaveBeenCalledExactlyOnceWith('/media/a/v720/1.m4s', {
    cache: 'no-store',
    signal: expect.any(AbortSignal),
  })
  expect(vi.getTimerCount()).toBe(0)
})

test('A8.3-14 a file that is gone is an error', async () => {
  vi.stubGlobal('fetch', fetched.mockResolvedValue(new Response(null, { status: 404 })))
  await expect(fetchFile('/media/a/v720/1.m4s')).rejects.toEqual(new FileError(404))
})

/** Answers with a body that the test sends, and that ends with the request. @returns sends some bytes */
function slowBody(): (bytes: string) => void {
  let source: ReadableStreamDefaultController<Uint8Array> | undefined
  fetched.mockImplementation(async (_address, init) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        source = controller
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body)
  })
  vi.stubGlobal('fetch', fetched)
  return (bytes) => source?.enqueue(new TextEncoder().encode(bytes))
}

test('A4.2-05 a transfer goes on while bytes arrive, and ends 30 seconds after the last ones', async () => {
  const send = slowBody()
  const failed = vi.fn<(error: unknown) => void>()
  fetchFile('/media/a/v720/1.m4s').catch(failed)
  for (const bytes of ['a', 'b', 'c']) {
    await vi.advanceTimersByTimeAsync(29_000)
    send(bytes)
  }
  await vi.advanceTimersByTimeAsync(29_000)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1000)
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'TimeoutError' }))
})

test('A4.2-05 a service that does not answer at all ends a transfer after 30 seconds', async () => {
  fetched.mockImplementation(
    async (_address, init) =>
      await new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
      }),
  )
  vi.stubGlobal('fetch', fetched)
  const ended = expect(fetchFile('/media/a/v720/1.m4s')).rejects.toThrow('No bytes arrive')
  await vi.advanceTimersByTimeAsync(30_000)
  await ended
})

test('A4.2-05 a transfer ends when its download is not wanted any more', async () => {
  slowBody()
  const wanted = new AbortController()
  const ended = expect(fetchFile('/media/a/v720/1.m4s', wanted.signal)).rejects.toThrow('aborted')
  await vi.advanceTimersByTimeAsync(1000)
  wanted.abort()
  await ended
  expect(vi.getTimerCount()).toBe(0)
})

test('A4.2-05 a stalled transfer is told from an aborted one, whatever error the browser gives', async () => {
  fetched.mockImplementation(
    async (_address, init) =>
      await new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      }),
  )
  vi.stubGlobal('fetch', fetched)
  const ended = expect(fetchFile('/media/a/v720/1.m4s')).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(30_000)
  await ended
})
