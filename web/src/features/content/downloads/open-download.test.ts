import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import type { Download } from './download.ts'
import { openDownload, UnplayableDownload } from './open-download.ts'

const NOW = 1_800_000_000
const CLEAR_KEY = { keys: [{ kty: 'oct', kid: 'AA', k: 'BB' }], type: 'temporary' }
const licence = vi.hoisted(() => ({ needsCode: true }))

const DOWNLOAD: Download = {
  key: '1-2',
  accountId: 5,
  profileId: 1,
  assetId: 2,
  state: 'COMPLETED',
  downloadProgress: { percentDownloaded: 100 },
  failure: null,
  title: 'La Houle',
  subtitle: '',
  durationSeconds: 60,
  bytes: 1000,
  height: 720,
  folders: [],
  languages: { audio: 'fra', subtitle: 'non' },
  licence: { publicKey: '', iv: '', data: '' },
  addedAt: NOW,
  times: {
    expiresAt: NOW + 1000,
    playSeconds: 1000,
    firstPlayedAt: null,
    latestAt: NOW,
    aheadSeconds: 0,
  },
}

let stored = DOWNLOAD

const changeDownload = vi.hoisted(() => vi.fn())
/** The device's time in seconds. */
const clock = vi.hoisted(() => ({ device: 0 }))

vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => clock.device * 1000 }))
vi.mock('../../people/parental/ask-code.ts', () => ({ withParentalCode: vi.fn() }))
vi.mock('./ask-asset.ts', () => ({ askAsset: vi.fn() }))
vi.mock('./store.ts', () => ({
  activeProfile: async () => 1,
  deviceKey: async () => ({}),
  findDownload: async () => stored,
  changeDownload,
}))
vi.mock('./unseal.ts', () => ({
  unseal: async () => ({
    idAsset: 2,
    clearKey: CLEAR_KEY,
    issuedAt: NOW,
    expiresAt: NOW + 1000,
    playSeconds: 1000,
    ...licence,
  }),
}))

beforeEach(() => {
  licence.needsCode = true
  clock.device = NOW
  stored = DOWNLOAD
  changeDownload.mockImplementation(async (_key: string, change: (known: Download) => Partial<Download>) => {
    stored = { ...stored, ...change(stored) }
  })
})
afterEach(() => {
  vi.clearAllMocks()
})

test('V2.1-16 a title that needs no parental code opens without a call', async () => {
  licence.needsCode = false
  expect((await openDownload(2)).clearKey).toEqual(CLEAR_KEY)
  expect(withParentalCode).not.toHaveBeenCalled()
})

test('A6-08 a title that needs the parental code opens after the service has checked it', async () => {
  vi.mocked(withParentalCode).mockResolvedValueOnce({})
  expect((await openDownload(2)).clearKey).toEqual(CLEAR_KEY)
})

test.each([
  ['without a code', async () => null],
  [
    'without a connection',
    async () => {
      throw new ApiError({ code: NO_ANSWER, status: NO_ANSWER, message: '' })
    },
  ],
])('A6-08 a title that needs the parental code does not open %s', async (_what, asked) => {
  vi.mocked(withParentalCode).mockImplementationOnce(asked)
  await expect(openDownload(2)).rejects.toEqual(new UnplayableDownload('code'))
  // The playing time of the licence has not begun.
  expect(changeDownload).not.toHaveBeenCalled()
})

test('A6-08 a right that has ended is told as such', async () => {
  const refused = new ApiError({ code: -11, status: 403, message: '' })
  vi.mocked(withParentalCode).mockRejectedValueOnce(refused)
  await expect(openDownload(2)).rejects.toBe(refused)
})

test('spec 39 a download that was refused as expired does not play after the clock was set back', async () => {
  licence.needsCode = false
  clock.device = NOW + 2000
  await expect(openDownload(2)).rejects.toEqual(new UnplayableDownload('expired'))
  clock.device = NOW + 100
  await expect(openDownload(2)).rejects.toEqual(new UnplayableDownload('clock'))
  expect(stored.times.firstPlayedAt).toBeNull()
})
