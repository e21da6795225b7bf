import { afterEach, expect, test, vi } from 'vitest'
import { FileError } from './failure.ts'
import { fetchFile } from './stored-files.ts'

const fetched = vi.fn<typeof fetch>()

afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

test('a file of a download does not go into the HTTP cache', async () => {
  vi.stubGlobal('fetch', fetched.mockResolvedValue(new Response('segment')))
  expect(await (await fetchFile('/media/a/v720/1.m4s')).text()).toBe('segment')
  expect(fetched).toHaveBeenCalledExactlyOnceWith('/media/a/v720/1.m4s', { cache: 'no-store' })
})

test('A8.3-14 a file that is gone is an error', async () => {
  vi.stubGlobal('fetch', fetched.mockResolvedValue(new Response(null, { status: 404 })))
  await expect(fetchFile('/media/a/v720/1.m4s')).rejects.toEqual(new FileError(404))
})
