import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Download } from './download.ts'
import { FileError } from './failure.ts'
import { continueDownloads } from './run-downloads.ts'
import { showFailure } from './show-failure.ts'
import { activeProfile } from './store.ts'

let queue: Download[] = []
let isActive = Promise.withResolvers<object>()
const request = vi.fn(async (_name: string, run: () => Promise<void>) => await run())
/** Ids of the completed titles, in the order of their completion. */
const completed: string[] = []
const fetchFile = vi.hoisted(() => vi.fn<(file: string, ended: AbortSignal) => Promise<Response>>())
/** The functions that are called when a download changes. */
const followers = vi.hoisted(() => new Set<() => void>())
/** Addresses of the files on the device. */
const stored = vi.hoisted(() => new Set<string>())

vi.mock('./show-failure.ts', () => ({ showFailure: vi.fn(async () => undefined) }))
vi.mock('./changes.ts', () => ({
  tellChange: vi.fn(),
  followDownloads: (changed: () => void) => {
    followers.add(changed)
    return () => followers.delete(changed)
  },
}))
vi.mock('./chosen-files.ts', () => ({
  downloadFiles: () => ({
    ready: async () => await isActive.promise,
    put: async (address: string) => void stored.add(address),
    list: async () => [...stored],
    delete: async (address: string) => void stored.delete(address),
  }),
}))
vi.mock('./stored-files.ts', () => ({
  missingFiles: async (files: readonly string[]) => files.filter((file) => !stored.has(`/offline${file}`)),
  fetchFile,
}))
vi.mock('./store.ts', () => ({
  activeProfile: vi.fn<() => Promise<number | null>>(),
  listDownloads: async () => queue,
  findDownload: async (key: string) => queue.find((each) => each.key === key),
  changeDownload: async (key: string, change: (known: Download) => Partial<Download> | undefined) => {
    queue = queue.map((each) => (each.key === key ? { ...each, ...change(each) } : each))
    const changed = queue.find((each) => each.key === key)
    if (changed?.state === 'COMPLETED') completed.push(key)
    return changed
  },
}))

function waiting(assetId: number): Download {
  return {
    key: `1-${assetId}`,
    accountId: 5,
    profileId: 1,
    assetId,
    state: 'QUEUED',
    downloadProgress: { percentDownloaded: 0 },
    failure: null,
    title: 'La Houle',
    subtitle: '',
    durationSeconds: 60,
    bytes: 1000,
    height: 720,
    folders: [{ address: `/media/${assetId}/`, segments: 1 }],
    languages: { audio: 'fra', subtitle: 'non' },
    licence: null,
    addedAt: assetId,
    times: { expiresAt: 1, playSeconds: 1, firstPlayedAt: null, latestAt: 0, aheadSeconds: 0 },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  isActive = Promise.withResolvers()
  vi.stubGlobal('addEventListener', vi.fn())
  vi.stubGlobal('removeEventListener', vi.fn())
  vi.stubGlobal('navigator', { locks: { request } })
  vi.mocked(activeProfile).mockResolvedValue(9)
  fetchFile.mockImplementation(async () => new Response())
  queue = [waiting(2)]
  completed.length = 0
  stored.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.mocked(showFailure).mockClear()
  request.mockClear()
  fetchFile.mockReset()
  vi.unstubAllGlobals()
})

test.each([
  [1, 1],
  [9, 0],
  [null, 0],
])('A8.3-14 profile %s reads %s failures of a download of profile 1', async (profileId, count) => {
  vi.mocked(activeProfile).mockResolvedValue(profileId)
  fetchFile.mockRejectedValue(new DOMException('', 'QuotaExceededError'))
  isActive.resolve({})
  await continueDownloads()
  expect(queue[0]).toMatchObject({ state: 'FAILED', failure: 'full' })
  expect(showFailure).toHaveBeenCalledTimes(count)
})

test('V2.1-16 fetches nothing before stored files can be played', async () => {
  const done = continueDownloads()
  expect(request).not.toHaveBeenCalled()
  isActive.resolve({})
  await done
  expect(queue[0]).toMatchObject({ state: 'COMPLETED' })
})

test('A4.2-05 a title whose files the service cannot deliver lets the others go first', async () => {
  queue = [waiting(2), waiting(3), waiting(4)]
  let faults = 3
  fetchFile.mockImplementation(async (file) => {
    if (file === '/media/2/1.m4s' && faults-- > 0) throw new FileError(503)
    return new Response()
  })
  isActive.resolve({})
  const done = continueDownloads()
  await vi.advanceTimersByTimeAsync(999)
  expect(completed).toEqual(['1-3', '1-4'])
  expect(queue[0]).toMatchObject({ state: 'DOWNLOADING' })
  // The time of three failures with the pauses after them.
  await vi.advanceTimersByTimeAsync(1 + 2000 + 5000)
  await done
  expect(completed).toEqual(['1-3', '1-4', '1-2'])
})

test('A4.2-05 after a lost connection, the same title goes on', async () => {
  queue = [waiting(2), waiting(3)]
  fetchFile.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  isActive.resolve({})
  const done = continueDownloads()
  await vi.advanceTimersByTimeAsync(999)
  expect(completed).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await done
  expect(completed).toEqual(['1-2', '1-3'])
})

/** Calls `act` while the file with this address is being fetched. */
function during(address: string, act: () => void): void {
  fetchFile.mockImplementation(async (file) => {
    if (file === address) {
      fetchFile.mockImplementation(async () => new Response())
      act()
    }
    return new Response()
  })
}

test('A4.2-05 pauses stay short while each attempt stores a file', async () => {
  queue = [{ ...waiting(2), folders: [{ address: '/media/2/', segments: 20 }] }]
  let isLost = false
  fetchFile.mockImplementation(async () => {
    isLost = !isLost
    if (isLost) throw new TypeError('Failed to fetch')
    return new Response()
  })
  isActive.resolve({})
  const done = continueDownloads()
  // Each of some twenty files follows a lost connection, so the pauses are one second each.
  await vi.advanceTimersByTimeAsync(25_000)
  await done
  expect(completed).toEqual(['1-2'])
})

test('V1-13 a title that is removed and requested in another quality meanwhile gets the files of that quality', async () => {
  const folders = [{ address: '/media/2-small/', segments: 2 }]
  during('/media/2/1.m4s', () => {
    stored.clear()
    queue = [{ ...waiting(2), folders }]
  })
  isActive.resolve({})
  await continueDownloads()
  expect(queue[0]).toMatchObject({ state: 'COMPLETED', folders })
  expect([...stored].filter((file) => file.includes('small'))).toHaveLength(3)
})

test('V1-13 a title that is removed and requested again meanwhile is complete only with all its files', async () => {
  during('/media/2/1.m4s', () => stored.clear())
  isActive.resolve({})
  await continueDownloads()
  expect(completed).toEqual(['1-2'])
  expect([...stored]).toEqual(['/offline/media/2/1.m4s', '/offline/media/2/init.mp4'])
})

test.each<[string, () => void]>([
  [
    'stopped',
    () => (queue = queue.map((each) => (each.assetId === 2 ? { ...each, state: 'STOPPED' } : each))),
  ],
  ['removed', () => (queue = queue.filter(({ assetId }) => assetId !== 2))],
])(
  'A4.2-05 a download that is %s during a transfer ends it, and the next title begins at once',
  async (_how, change) => {
    queue = [waiting(2), waiting(3)]
    const begun = Promise.withResolvers<void>()
    fetchFile.mockImplementation(async (file, ended) => {
      if (!file.startsWith('/media/2/')) return new Response()
      begun.resolve()
      return await new Promise((_resolve, reject) => {
        ended.addEventListener('abort', () => reject(ended.reason as Error))
      })
    })
    isActive.resolve({})
    const done = continueDownloads()
    await begun.promise
    change()
    for (const changed of followers) changed()
    await done
    expect(completed).toEqual(['1-3'])
    expect(vi.getTimerCount()).toBe(0)
    expect(followers.size).toBe(0)
  },
)

test('A4.2-05 a title whose transfer stalls lets the others go first', async () => {
  queue = [waiting(2), waiting(3)]
  fetchFile.mockRejectedValueOnce(new DOMException('No bytes arrive', 'TimeoutError'))
  isActive.resolve({})
  const done = continueDownloads()
  await vi.advanceTimersByTimeAsync(999)
  expect(completed).toEqual(['1-3'])
  await vi.advanceTimersByTimeAsync(1)
  await done
  expect(completed).toEqual(['1-3', '1-2'])
})
