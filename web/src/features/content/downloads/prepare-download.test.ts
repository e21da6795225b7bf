import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildAsset } from '../catalogue/asset-builder.ts'
import { askAsset } from './ask-asset.ts'
import { type Download, isCheckDue } from './download.ts'
import { NoRoomError } from './failure.ts'
import { prepareDownload } from './prepare-download.ts'

/** Files on the device, by address. */
const files = vi.hoisted(() => new Map<string, Response>())
const protect = vi.hoisted(() => vi.fn<() => Promise<void>>())

/** The storage of the device: its free space in bytes, and how often its files were listed. */
const device = vi.hoisted(() => ({ bytesLeft: undefined as number | undefined, lists: 0 }))

/** The time that the service confirms, in milliseconds; undefined if the service does not answer. */
const clock = vi.hoisted(() => ({ confirmed: undefined as number | undefined }))

vi.mock('../../ground/clock/browser-clock.ts', () => ({
  // The page was rendered days ago.
  serviceNow: () => 1_799_700_000_000,
  confirmedNow: async () => clock.confirmed,
}))
vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => 1_800_000_060_000 }))
vi.mock('./ask-asset.ts', () => ({ askAsset: vi.fn<typeof askAsset>() }))
vi.mock('./store.ts', () => ({ listDownloads: async () => [] }))
vi.mock('./chosen-files.ts', () => ({
  downloadFiles: () => ({
    protect,
    requireReady: async () => {},
    bytesLeft: async () => device.bytesLeft,
    list: async () => {
      device.lists += 1
      return [...files.keys()]
    },
    put: async (address: string, content: Response) => void files.set(address, content),
  }),
}))

const LANGUAGES = { audio: 'fra', subtitle: 'non' }
const ASSET = buildAsset({ idAsset: 2, title: 'La Houle', durationInSeconds: 60 })

beforeEach(() => {
  files.clear()
  Object.assign(device, { bytesLeft: undefined, lists: 0 })
  clock.confirmed = 1_800_000_000_000
  protect.mockReset()
  protect.mockResolvedValue()
  vi.mocked(askAsset).mockResolvedValue({
    url: '/play/token/manifest.mpd',
    licence: null,
    folders: [{ address: '/media/a/v720/', segments: 2 }],
    bytes: 1000,
    qualities: [],
    availableLanguages: { audio: [], subtitle: [] },
    languages: LANGUAGES,
  })
  vi.stubGlobal('fetch', async () => new Response('<MPD/>'))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Prepares a download of the title in 720 lines. */
async function prepare(asset = ASSET): Promise<Download> {
  const viewer = { accountId: 5, profileId: 1 }
  const wanted = { asset, subtitle: '', ...viewer, languages: LANGUAGES, language: 'fra' as const }
  return await prepareDownload('1-2', wanted, { height: 720, languages: LANGUAGES }, undefined)
}

test('V1-13 a download does not wait until the viewer lets the browser keep its files', async () => {
  // The browser asks the viewer for permission, and the viewer has not answered yet.
  protect.mockReturnValue(Promise.withResolvers<void>().promise)
  const download = await prepare()
  expect(download).toMatchObject({ key: '1-2', state: 'QUEUED', title: 'La Houle' })
  expect([...files.keys()]).toEqual(['/offline/1-2/manifest.mpd'])
  expect(protect).toHaveBeenCalledTimes(1)
})

test('spec 39 a download gets the time that the service has confirmed, not that of an old page', async () => {
  expect((await prepare()).times).toMatchObject({ latestAt: 1_800_000_000, aheadSeconds: -60 })
})

test('spec 39 a download without a confirmed time is checked at the next visit', async () => {
  clock.confirmed = undefined
  const { times } = await prepare()
  expect(times).toMatchObject({ latestAt: 0, aheadSeconds: 0 })
  expect(isCheckDue(times, 1_800_000_000, 1_800_000_060)).toBe(true)
})

test('V1-13 A8.3-14 the files on a device are counted only if there is no room for a whole title', async () => {
  device.bytesLeft = 1000
  await prepare()
  expect(device.lists).toBe(0)
  device.bytesLeft = 999
  await expect(prepare()).rejects.toThrow(NoRoomError)
  // Two of the three files are stored, so only a third of the title is left.
  files
    .set('/offline/media/a/v720/init.mp4', new Response())
    .set('/offline/media/a/v720/1.m4s', new Response())
  expect(await prepare()).toMatchObject({ state: 'QUEUED' })
})

test('V4-46 a download knows the place of its episode in the series', async () => {
  expect((await prepare()).episode).toBeUndefined()
  const episode = { ...ASSET, serieId: 40, directMetadata: { AD_SERIESEA: 1, AD_SERIESEP: '2' } }
  expect((await prepare(episode)).episode).toEqual({ serieId: 40, season: 1, number: 2 })
})
