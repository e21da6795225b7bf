import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import type { Download } from './download.ts'
import { resumeDownload } from './downloads.ts'
import { askFiles } from './prepare-download.ts'
import { continueDownloads } from './run-downloads.ts'
import { explain } from './show-failure.ts'

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

let stored = FAILED

vi.mock('../../people/parental/ask-code.ts', () => ({
  withParentalCode: async (act: (proof: undefined) => unknown) => await act(undefined),
}))
vi.mock('./changes.ts', () => ({ tellChange: vi.fn() }))
vi.mock('./prepare-download.ts', () => ({ askFiles: vi.fn<typeof askFiles>() }))
vi.mock('./run-downloads.ts', () => ({ continueDownloads: vi.fn(async () => undefined) }))
vi.mock('./show-failure.ts', () => ({ explain: vi.fn(async () => undefined) }))
vi.mock('./store.ts', () => ({
  changeDownload: async (_key: string, change: (known: Download) => Partial<Download> | undefined) => {
    stored = { ...stored, ...change(stored) }
    return stored
  },
}))

afterEach(() => {
  vi.clearAllMocks()
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
