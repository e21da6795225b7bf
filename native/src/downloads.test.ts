import { downloadFiles } from '@ondine/web/features/content/downloads/chosen-files'
import type { DownloadFiles } from '@ondine/web/features/content/downloads/download-files'
import { failureOf } from '@ondine/web/features/content/downloads/failure'
import { beforeEach, expect, test, vi } from 'vitest'
import { startDownloads } from './downloads.ts'
import { InMemoryFiles } from './in-memory-files.ts'

const device = vi.hoisted(() => ({ files: undefined as unknown }))

vi.mock('@capacitor/filesystem', async (original) => ({
  ...(await original<object>()),
  get Filesystem() {
    return device.files
  },
}))

const SEGMENT = '/offline/media/a/v720/1.m4s'
/** Contains every byte value, so that a lossy encoding fails the tests. */
const BYTES = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256)

let onDevice: InMemoryFiles
let files: DownloadFiles

beforeEach(() => {
  onDevice = new InMemoryFiles()
  device.files = onDevice
  startDownloads()
  files = downloadFiles()
})

test('V1-13 a file of a download is read as it was stored, also after a new start', async () => {
  await files.put(SEGMENT, new Response(BYTES))
  startDownloads()
  expect(await downloadFiles().read?.(SEGMENT)).toEqual(BYTES.buffer)
  expect(await downloadFiles().list()).toEqual([SEGMENT])
})

test('V1-13 an empty file is a file', async () => {
  await files.put(SEGMENT, new Response(''))
  expect(await files.read?.(SEGMENT)).toEqual(new ArrayBuffer(0))
})

test('V1-13 the files are neither in a backup nor where the system empties folders', async () => {
  await files.put(SEGMENT, new Response(BYTES))
  expect([...onDevice.files.keys()]).toEqual(['LIBRARY_NO_CLOUD/downloads/media/a/v720/1.m4s'])
})

test('V1-13 a file that was not stored to its end is none', async () => {
  // Simulates an app that was killed while it wrote the segment: only the `.part` file of the segment exists.
  await files.put('/offline/1-2/manifest.mpd', new Response('<MPD/>'))
  const [file] = onDevice.files.values()
  if (file) onDevice.files.set('LIBRARY_NO_CLOUD/downloads/media/a/v720/1.m4s.part', file)
  expect(await files.list()).toEqual(['/offline/1-2/manifest.mpd'])
  expect(await files.read?.(SEGMENT)).toBeUndefined()
})

test('V1-13 a deleted file is gone, and deleting it once more is no fault', async () => {
  await files.put(SEGMENT, new Response(BYTES))
  await files.delete(SEGMENT)
  await files.delete(SEGMENT)
  expect(await files.list()).toEqual([])
  expect(await files.read?.(SEGMENT)).toBeUndefined()
})

test('A8.3-14 a full device fails the download as full, and leaves no part of the file', async () => {
  onDevice.isFull = true
  const failed = await files.put(SEGMENT, new Response(BYTES)).catch((error: unknown) => error)
  expect(failureOf(failed)).toBe('full')
  expect(onDevice.files.size).toBe(0)
})

test('A4.2-05 a connection that is lost within a file lets the download go on later', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
  const failed = await files.put(SEGMENT, new Response(body)).catch((error: unknown) => error)
  expect(failureOf(failed)).toBe('later')
  expect(onDevice.files.size).toBe(0)
})

test('A2.1-29 a picture is shown from its file', async () => {
  await files.put('/offline/1-2/picture', new Response(new Uint8Array([137, 80, 78, 71])))
  expect(await files.pictureAt('/offline/1-2/picture')).toBe('data:image/*;base64,iVBORw==')
  expect(await files.pictureAt('/offline/1-3/picture')).toBeUndefined()
})

test.each(['/media/a/v720/1.m4s', '/offline/../tokens', '/offline/media/../../tokens'])(
  'V1-13 the address %s is not that of a download',
  async (address) => {
    await expect(files.put(address, new Response(BYTES))).rejects.toThrow(RangeError)
    await expect(files.read?.(address)).rejects.toThrow(RangeError)
    await expect(files.delete(address)).rejects.toThrow(RangeError)
    expect(onDevice.files.size).toBe(0)
  },
)
