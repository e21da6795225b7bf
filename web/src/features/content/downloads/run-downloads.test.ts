import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Download } from './download.ts'
import { continueDownloads } from './run-downloads.ts'
import { showFailure } from './show-failure.ts'
import { activeProfile } from './store.ts'

const queue: Download[] = []
let isActive = Promise.withResolvers<object>()
const request = vi.fn(async (_name: string, run: () => Promise<void>) => await run())

vi.mock('./show-failure.ts', () => ({ showFailure: vi.fn(async () => undefined) }))
vi.mock('./changes.ts', () => ({ tellChange: vi.fn() }))
vi.mock('./stored-files.ts', () => ({
  openFiles: async () => ({}),
  storedFiles: async () => [],
  missingFiles: async () => {
    throw new DOMException('', 'QuotaExceededError')
  },
}))
vi.mock('./store.ts', () => ({
  activeProfile: vi.fn<() => Promise<number | null>>(),
  listDownloads: async () => queue,
  findDownload: async () => queue[0],
  changeDownload: async (_key: string, change: (known: Download) => Partial<Download>) => {
    Object.assign(queue[0] ?? {}, change(queue[0] as Download))
    return queue[0]
  },
}))

beforeEach(() => {
  isActive = Promise.withResolvers()
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: isActive.promise },
    locks: { request },
  })
  queue.length = 0
  queue.push({
    key: '1-2',
    accountId: 5,
    profileId: 1,
    assetId: 2,
    state: 'QUEUED',
    downloadProgress: { percentDownloaded: 0 },
    failure: null,
    title: 'La Houle',
    subtitle: '',
    durationSeconds: 60,
    bytes: 1000,
    height: 720,
    folders: [],
    languages: { audio: 'fra', subtitle: 'non' },
    licence: null,
    addedAt: 1,
    times: { expiresAt: 1, playSeconds: 1, firstPlayedAt: null, latestAt: 0, aheadSeconds: 0 },
  })
})
afterEach(() => {
  vi.mocked(showFailure).mockClear()
  request.mockClear()
  vi.unstubAllGlobals()
})

test.each([
  [1, 1],
  [9, 0],
  [null, 0],
])('A8.3-14 profile %s reads %s failures of a download of profile 1', async (profileId, count) => {
  vi.mocked(activeProfile).mockResolvedValue(profileId)
  isActive.resolve({})
  await continueDownloads()
  expect(queue[0]).toMatchObject({ state: 'FAILED', failure: 'full' })
  expect(showFailure).toHaveBeenCalledTimes(count)
})

test('V2.1-16 fetches nothing before the service worker is active', async () => {
  vi.mocked(activeProfile).mockResolvedValue(9)
  const done = continueDownloads()
  expect(request).not.toHaveBeenCalled()
  isActive.resolve({})
  await done
  expect(queue[0]).toMatchObject({ state: 'FAILED' })
})
