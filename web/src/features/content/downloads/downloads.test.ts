import { setImmediate } from 'node:timers/promises'
import { LAYOUT } from '@ondine/contract/constants'
import { releaseDownload } from '@ondine/contract/downloads'
import type { Asset } from '@ondine/contract/entities'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import type { Download } from './download.ts'
import { prepare, removeDownload, renewDownload, requestDownload, resumeDownload } from './downloads.ts'
import { UnfinishedRemovalError } from './failure.ts'
import { deleteLicence } from './kept-licence.ts'
import { askFiles, prepareDownload, type WantedDownload } from './prepare-download.ts'
import { continueDownloads } from './run-downloads.ts'
import { explain } from './show-failure.ts'
import { activeProfile, addDownload, deleteDownload } from './store.ts'
import { deleteOwnFiles } from './stored-files.ts'
import { CURVE } from './unseal.ts'

const FOLDERS = [{ address: '/media/a/v720/', segments: 2 }]
const FILES = {
  bytes: 1000,
  height: 720,
  folders: FOLDERS,
  languages: { audio: 'fra', subtitle: 'non' },
  licence: null,
  times: { expiresAt: 9, playSeconds: 9, firstPlayedAt: null, latestAt: 1, aheadSeconds: 0 },
}
const FAILED: Download = {
  ...FILES,
  key: '1-2',
  accountId: 5,
  profileId: 1,
  assetId: 2,
  state: 'FAILED',
  downloadProgress: { percentDownloaded: 40 },
  failure: 'refused',
  title: 'La Houle',
  subtitle: '',
  durationSeconds: 60,
  addedAt: 1,
}

/** All downloads of the device; undefined if `stored` is the only one. */
let listed: Download[] | undefined
/** The stored download of the requested title; undefined if the title is not stored. */
let found: Download | undefined
let stored = FAILED
/** Whether the stored download has been deleted. */
let isDeleted = false

vi.mock('../../../api/call.ts', () => ({ call: vi.fn(async () => null) }))
vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => 1_800_000_000_000 }))
vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => 1_700_000_000_000 }))
vi.mock('../../ground/errors/report-fault.ts', () => ({ reportFault: vi.fn() }))
vi.mock('../../people/parental/ask-code.ts', () => ({
  withParentalCode: async (act: (proof: undefined) => unknown) => await act(undefined),
}))
vi.mock('./changes.ts', () => ({ tellChange: vi.fn() }))
vi.mock('./kept-licence.ts', () => ({ deleteLicence: vi.fn() }))
vi.mock('./prepare-download.ts', () => ({
  askFiles: vi.fn<typeof askFiles>(),
  prepareDownload: vi.fn<typeof prepareDownload>(),
}))
vi.mock('./run-downloads.ts', () => ({ continueDownloads: vi.fn(async () => undefined) }))
vi.mock('./show-failure.ts', () => ({ explain: vi.fn(async () => undefined) }))
vi.mock('./store.ts', () => ({
  activeProfile: vi.fn<() => Promise<number | null>>(async () => 1),
  changeDownload: async (_key: string, change: (known: Download) => Partial<Download> | undefined) => {
    if (isDeleted) return undefined
    stored = { ...stored, ...change(stored) }
    return stored
  },
  listDownloads: async () => listed ?? [stored],
  deviceKey: async () => await crypto.subtle.generateKey(CURVE, false, ['deriveBits']),
  findDownload: async () => found,
  addDownload: vi.fn(async (download: Download) => {
    found = download
  }),
  deleteDownload: vi.fn(),
}))
vi.mock('./stored-files.ts', () => ({ deleteMedia: async () => {}, deleteOwnFiles: vi.fn() }))

let last: Promise<unknown> = Promise.resolve()
/** A fake of the browser's lock manager with a single lock, which runs one function at a time. */
const locks = {
  request: async (_name: string, run: () => Promise<unknown>) => {
    const turn = last.then(run)
    last = turn.catch(() => undefined)
    return await turn
  },
}

beforeEach(() => {
  found = undefined
  listed = undefined
  isDeleted = false
  vi.stubGlobal('navigator', { locks })
})
afterEach(() => {
  vi.useRealTimers()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

/** The title in a quality, as a tab requests it. */
function inQuality(height: number): WantedDownload {
  // The code under test reads only these fields of a title.
  const asset = { idAsset: 2, title: 'La Houle' } as Asset
  const { languages } = FILES
  const viewer = { account: { id: 5, firstName: 'Anne', lastName: 'Morel' }, profileId: 1 }
  const choice = { height, languages }
  return {
    asset,
    subtitle: '',
    ...viewer,
    languages,
    choice,
    language: 'fra',
    imageHeights: LAYOUT.imageHeights,
  }
}

test('V1-13 of two tabs that request a title in different qualities, the first one wins, with its files', async () => {
  vi.mocked(prepareDownload).mockImplementation(async (key, _wanted, { height }) => {
    // The service answers in a later turn of the event loop, so that both tabs have asked by then.
    await setImmediate()
    return { ...FAILED, key, state: 'QUEUED', height }
  })
  const both = await Promise.all(
    [720, 360].map(async (height) => await prepare(inQuality(height), undefined)),
  )
  expect(both.map((prepared) => prepared?.download.height)).toEqual([720, 720])
  expect(prepareDownload).toHaveBeenCalledTimes(1)
  expect(addDownload).toHaveBeenCalledTimes(1)
})

test('V1-13 a preparation that fails gives up the place that its licence may have taken', async () => {
  listed = []
  const error = new Error('The decryption module did not answer')
  vi.mocked(prepareDownload).mockRejectedValueOnce(error)
  await requestDownload(inQuality(720))
  await vi.waitFor(() =>
    expect(call).toHaveBeenCalledExactlyOnceWith(releaseDownload, {
      idAsset: 2,
      deviceKey: expect.any(String),
    }),
  )
  expect(explain).toHaveBeenCalledExactlyOnceWith(error, 'La Houle')
})

test('V1-13 a preparation that fails leaves the place to another profile that has the title', async () => {
  listed = [{ ...FAILED, key: '9-2', profileId: 9 }]
  vi.mocked(prepareDownload).mockRejectedValueOnce(new Error('The decryption module did not answer'))
  await requestDownload(inQuality(720))
  // A release would be sent in a later turn of the event loop.
  await setImmediate()
  expect(call).not.toHaveBeenCalled()
})

test.each([
  ['goes on with the same files', FOLDERS, 'QUEUED'],
  ['begins again with other files', [{ address: '/media/b/v720/', segments: 2 }], 'RESTARTING'],
])('A4.2-05 a download whose file was gone is renewed, and %s', async (_what, folders, state) => {
  stored = FAILED
  vi.mocked(askFiles).mockResolvedValueOnce({ ...FILES, folders })
  await resumeDownload(stored)
  expect(stored).toMatchObject({ state, folders, failure: null })
  expect(continueDownloads).toHaveBeenCalledOnce()
})

test('A4.2-05 a download whose state this version does not know is resumed', async () => {
  stored = Object.assign({ ...FAILED }, { state: 'VERIFYING', failure: null })
  await resumeDownload(stored)
  expect(stored).toMatchObject({ state: 'QUEUED' })
  expect(continueDownloads).toHaveBeenCalledOnce()
})

test('A4.2-05 a download whose state is unknown and whose files were refused is renewed', async () => {
  stored = Object.assign({ ...FAILED }, { state: 'VERIFYING' })
  const folders = [{ address: '/media/b/v720/', segments: 2 }]
  vi.mocked(askFiles).mockResolvedValueOnce({ ...FILES, folders })
  await resumeDownload(stored)
  expect(stored).toMatchObject({ state: 'RESTARTING', folders, failure: null })
})

test('A8.3-14 a download whose right has ended stays failed, and the viewer learns why', async () => {
  stored = FAILED
  const error = new ApiError({ code: -11, status: 403, message: '' })
  vi.mocked(askFiles).mockRejectedValueOnce(error)
  await resumeDownload(stored)
  expect(stored).toEqual(FAILED)
  expect(explain).toHaveBeenCalledExactlyOnceWith(error, 'La Houle')
})

test('A4.2-05 a download that found no room goes on without a new licence', async () => {
  stored = { ...FAILED, failure: 'full' }
  await resumeDownload(stored)
  expect(stored).toMatchObject({ state: 'QUEUED', failure: null })
  expect(askFiles).not.toHaveBeenCalled()
})

const KEPT = { keySystem: 'com.widevine.alpha', sessionId: 'first', initData: 'AA==' } as const

test('A4.9-05 a renewed download has a new licence in the decryption module, and no longer the old one', async () => {
  stored = { ...FAILED, state: 'COMPLETED', downloadProgress: { percentDownloaded: 100 }, kept: KEPT }
  const kept = { ...KEPT, sessionId: 'second' }
  vi.mocked(askFiles).mockResolvedValueOnce({ ...FILES, kept })
  await renewDownload(stored)
  expect(stored).toMatchObject({ state: 'COMPLETED', kept })
  expect(deleteLicence).toHaveBeenCalledExactlyOnceWith(KEPT)
})

test.each([
  ['has been deleted', async () => await removeDownload(FAILED.key)],
  // The service has not confirmed the removal yet.
  ['is being removed', () => void Object.assign(stored, { state: 'REMOVING' })],
])(
  'A4.2-05 a download that %s during its renewal keeps no place, no licence and no files',
  async (_what, remove) => {
    stored = { ...FAILED }
    vi.mocked(deleteDownload).mockImplementationOnce(async () => {
      isDeleted = true
      listed = []
    })
    vi.mocked(askFiles).mockImplementationOnce(async () => {
      await remove()
      vi.mocked(deleteOwnFiles).mockClear()
      return { ...FILES, kept: KEPT }
    })
    await renewDownload(stored)
    expect(deleteOwnFiles).toHaveBeenCalledExactlyOnceWith(FAILED.key)
    expect(deleteLicence).toHaveBeenCalledExactlyOnceWith(KEPT)
    expect(call).toHaveBeenCalledExactlyOnceWith(releaseDownload, {
      idAsset: 2,
      deviceKey: expect.any(String),
    })
    expect(continueDownloads).not.toHaveBeenCalled()
  },
)

test('A4.2-05 a title that is requested again during its renewal keeps its files and its place', async () => {
  vi.mocked(askFiles).mockImplementationOnce(async () => {
    isDeleted = true
    return FILES
  })
  found = { ...FAILED, state: 'QUEUED' }
  await renewDownload(FAILED)
  expect(deleteOwnFiles).not.toHaveBeenCalled()
  expect(call).not.toHaveBeenCalled()
})

test('A4.9-05 a removed download leaves no licence in the decryption module, and a module that fails keeps none', async () => {
  for (const answer of [async () => undefined, async () => await Promise.reject(new Error('CDM'))]) {
    stored = { ...FAILED, kept: KEPT }
    vi.mocked(deleteLicence).mockImplementationOnce(answer)
    await removeDownload(stored.key)
    expect(deleteLicence).toHaveBeenLastCalledWith(KEPT)
    expect(deleteDownload).toHaveBeenLastCalledWith(stored.key)
  }
})

test('spec 39 an expired licence is not released, whatever the device’s clock shows', async () => {
  const licence = { publicKey: '', iv: '', data: '' }
  stored = { ...FAILED, licence, times: { ...FAILED.times, expiresAt: 1_799_999_999 } }
  await removeDownload(stored.key)
  expect(deleteDownload).toHaveBeenCalledExactlyOnceWith(stored.key)
  expect(call).not.toHaveBeenCalled()
})

/** A download whose licence the service must release. */
const REMOVED: Download = {
  ...FAILED,
  state: 'REMOVING',
  licence: { publicKey: '', iv: '', data: '' },
  times: { ...FAILED.times, expiresAt: 1_900_000_000 },
}
const OVERLOADED = new ApiError({ code: -503, status: 503, message: '' })

/** Removes a download of a title that no other test removes. The service fails `times` times. */
async function removeDespite(times: number, assetId: number): Promise<void> {
  vi.useFakeTimers()
  stored = { ...REMOVED, key: `1-${assetId}`, assetId }
  found = stored
  for (let failure = 0; failure < times; failure += 1) vi.mocked(call).mockRejectedValueOnce(OVERLOADED)
  await removeDownload(stored.key)
  expect(deleteDownload).not.toHaveBeenCalled()
}

/** Options of `vi.waitFor`, which advances a simulated clock by its interval at each attempt. */
const STILL = { interval: 0 }

test('A4.2-05 a removal that the service does not confirm is tried again after growing pauses', async () => {
  await removeDespite(2, 11)
  expect(stored.state).toBe('REMOVING')
  await vi.advanceTimersByTimeAsync(5000)
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2), STILL)
  expect(deleteDownload).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), STILL)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(call).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  await vi.waitFor(() => expect(deleteDownload).toHaveBeenCalledExactlyOnceWith('1-11'), STILL)
  expect(vi.getTimerCount()).toBe(0)
})

test('A4.2-05 a removal is not tried again for another profile', async () => {
  await removeDespite(1, 12)
  vi.mocked(activeProfile).mockResolvedValueOnce(9)
  await vi.advanceTimersByTimeAsync(5000)
  expect(activeProfile).toHaveBeenCalledOnce()
  expect(call).toHaveBeenCalledOnce()
})

test('A4.2-05 a removal that is pressed twice releases the licence once', async () => {
  stored = { ...REMOVED, key: '1-13', assetId: 13 }
  expect(await Promise.all([removeDownload('1-13'), removeDownload('1-13')])).toEqual([true, true])
  expect(call).toHaveBeenCalledOnce()
})

test('V1-13 a title that is requested again completes its removal first', async () => {
  stored = REMOVED
  found = REMOVED
  vi.mocked(deleteDownload).mockImplementationOnce(async () => {
    found = undefined
  })
  vi.mocked(prepareDownload).mockImplementationOnce(async (key) => ({ ...FAILED, key, state: 'QUEUED' }))
  await requestDownload(inQuality(720))
  expect(deleteDownload).toHaveBeenCalledOnce()
  expect(found).toMatchObject({ state: 'QUEUED' })
})

test('A8.3-14 a title whose removal is not confirmed cannot be requested again, and the viewer learns it', async () => {
  vi.useFakeTimers()
  stored = REMOVED
  found = REMOVED
  vi.mocked(call).mockRejectedValueOnce(OVERLOADED)
  await requestDownload(inQuality(720))
  expect(explain).toHaveBeenCalledExactlyOnceWith(new UnfinishedRemovalError(), 'La Houle')
  expect(prepareDownload).not.toHaveBeenCalled()
})
