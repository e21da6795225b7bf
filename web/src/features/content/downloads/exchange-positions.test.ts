import { exchangePositions } from '@ondine/contract/downloads'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { tellChange } from './changes.ts'
import type { Download } from './download.ts'
import { exchangeOwnPositions } from './exchange-positions.ts'
import { positionKeeper } from './kept-position.ts'

/** The clocks in seconds: those of the device and of the service, which may not answer. */
const clock = vi.hoisted(() => ({ device: 1_000_000, confirmed: 1_003_600 as number | undefined }))

let stored: Download[] = []

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../ground/clock/browser-clock.ts', () => ({
  confirmedNow: async () => clock.confirmed && clock.confirmed * 1000,
}))
vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => clock.device * 1000 }))
vi.mock('./changes.ts', () => ({ tellChange: vi.fn() }))
vi.mock('./store.ts', () => ({
  listDownloads: async () => stored,
  changeDownload: async (key: string, change: (known: Download) => Partial<Download> | undefined) => {
    stored = stored.map((each) => (each.key === key ? { ...each, ...change(each) } : each))
  },
}))

function download(profileId: number, assetId: number, fields: Partial<Download> = {}): Download {
  return {
    key: `${profileId}-${assetId}`,
    accountId: 5,
    profileId,
    assetId,
    state: 'COMPLETED',
    downloadProgress: { percentDownloaded: 100 },
    failure: null,
    title: 'La Houle',
    subtitle: '',
    durationSeconds: 6000,
    bytes: 1000,
    height: 720,
    folders: [],
    languages: { audio: 'fra', subtitle: 'non' },
    licence: null,
    addedAt: 1,
    times: { expiresAt: 9, playSeconds: 9, firstPlayedAt: null, latestAt: 0, aheadSeconds: 0 },
    ...fields,
  }
}

const positions = () => stored.map(({ key, position, unsentSince }) => [key, position, unsentSince])

beforeEach(() => {
  Object.assign(clock, { device: 1_000_000, confirmed: 1_003_600 })
  vi.mocked(call).mockReset()
  vi.mocked(tellChange).mockClear()
  stored = [
    download(1, 2, { position: 300, unsentSince: 999_900 }),
    download(1, 3, { position: 40 }),
    download(1, 4),
    download(7, 2, { position: 50, unsentSince: 999_000 }),
  ]
})

test('V4-30 the service learns where a profile stopped offline, and the device takes over what it knows', async () => {
  vi.mocked(call).mockResolvedValue([
    { idAsset: 2, seconds: 300 },
    { idAsset: 3, seconds: 1200 },
  ])
  expect(await exchangeOwnPositions(1)).toBe(true)
  // The device's clock is an hour behind.
  expect(call).toHaveBeenCalledExactlyOnceWith(exchangePositions, {
    idProfile: 1,
    positions: [{ idAsset: 2, played: { seconds: 300, at: 1_003_500 } }, { idAsset: 3 }, { idAsset: 4 }],
  })
  expect(positions()).toEqual([
    ['1-2', 300, undefined],
    ['1-3', 1200, undefined],
    ['1-4', undefined, undefined],
    ['7-2', 50, 999_000],
  ])
  expect(tellChange).toHaveBeenCalled()
})

test('V4-30 a position of another device that is newer replaces that of the download', async () => {
  vi.mocked(call).mockResolvedValue([{ idAsset: 2, seconds: 4000 }])
  await exchangeOwnPositions(1)
  expect(positions()[0]).toEqual(['1-2', 4000, undefined])
})

test('V4-30 a download that is watched during the exchange keeps its position', async () => {
  vi.mocked(call).mockImplementation(async () => {
    clock.device += 10
    await positionKeeper('1-2')(310, false)
    return [{ idAsset: 2, seconds: 300 }]
  })
  await exchangeOwnPositions(1)
  expect(positions()[0]).toEqual(['1-2', 310, 1_000_010])
})

test('V4-30 a paused download that is closed does not hide a newer position of another device', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const keep = positionKeeper('1-2')
  await keep(310, false)
  clock.device += 60
  await keep(310, true)
  expect(positions()[0]).toEqual(['1-2', 310, 1_000_000])
  vi.mocked(call).mockResolvedValue([{ idAsset: 2, seconds: 4000 }])
  await exchangeOwnPositions(1)
  await keep(310, true)
  expect(positions()[0]).toEqual(['1-2', 4000, undefined])
  await keep(320, true)
  expect(positions()[0]).toEqual(['1-2', 320, 1_000_060])
  vi.unstubAllGlobals()
})

test.each([
  ['does not answer', new ApiError({ code: NO_ANSWER, status: 503, message: '' })],
  ['names another profile', new ApiError({ code: -403, status: 403, message: '' })],
])('a position waits for the next visit if the service %s', async (_what, error) => {
  const before = positions()
  vi.mocked(call).mockRejectedValue(error)
  expect(await exchangeOwnPositions(1)).toBe(false)
  expect(positions()).toEqual(before)
})

test('nothing is sent while the time of the service is unknown, or without downloads', async () => {
  clock.confirmed = undefined
  expect(await exchangeOwnPositions(1)).toBe(false)
  clock.confirmed = 1_003_600
  expect(await exchangeOwnPositions(9)).toBe(false)
  expect(call).not.toHaveBeenCalled()
})
