import { contentData } from '@ondine/contract/catalogue'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { buildAsset } from '../catalogue/asset-builder.ts'
import { askAsset } from './ask-asset.ts'
import { type Download, isCheckDue } from './download.ts'
import { NoRoomError } from './failure.ts'
import { askFiles, prepareDownload } from './prepare-download.ts'

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
const keys = vi.hoisted(() => vi.fn())
/** The downloads on the device. */
const stored = vi.hoisted((): Download[] => [])

vi.mock('./store.ts', () => ({ listDownloads: async () => stored, deviceKey: async () => ({}) }))
vi.mock('./unseal.ts', () => ({ pointOf: async () => new Uint8Array(), toBase64url: () => '' }))
vi.mock('../../../api/call.ts', () => ({ call: keys }))
vi.mock('./chosen-files.ts', () => ({
  downloadFiles: () => ({
    protect,
    requireReady: async () => {},
    bytesLeft: async () => device.bytesLeft,
    list: async () => {
      device.lists += 1
      return [...files.keys()]
    },
    delete: async (address: string) => void files.delete(address),
    put: async (address: string, content: Response) => void files.set(address, content),
  }),
}))

const LANGUAGES = { audio: 'fra', subtitle: 'non' }
const ASSET = buildAsset({ idAsset: 2, title: 'La Houle', durationInSeconds: 60 })

beforeEach(() => {
  files.clear()
  stored.length = 0
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

const EPISODE = { ...ASSET, serieId: 40, directMetadata: { AD_SERIESEA: 1, AD_SERIESEP: '2' } }

test.each([
  ['the next episode', buildAsset({ idAsset: 3 }), 3],
  ['that it is the last one', null, null],
])(
  'V4-46 a download knows the place of its episode in the series, and %s',
  async (_what, next, nextAssetId) => {
    keys.mockResolvedValueOnce({ next })
    expect(await prepare(EPISODE)).toMatchObject({
      episode: { serieId: 40, season: 1, number: 2 },
      nextAssetId,
    })
    expect(keys).toHaveBeenLastCalledWith(contentData, { idAsset: 2 })
  },
)

test('V4-46 a film has no place in a series, and no next episode', async () => {
  const { episode, nextAssetId } = await prepare()
  expect([episode, nextAssetId]).toEqual([undefined, undefined])
})

test('V4-46 an episode is prepared even if the service does not tell the next one', async () => {
  keys.mockRejectedValueOnce(new ApiError({ code: -503, status: 503, message: '' }))
  expect(await prepare(EPISODE)).toMatchObject({ state: 'QUEUED', nextAssetId: undefined })
})

const LICENCE = {
  provider: 'clearkey',
  keySystem: 'org.w3.clearkey',
  authMethod: 'token',
  licenceUrl: '/licence',
  token: 'token',
} as const

/** Puts a complete download of the title on the device, whose media the service has replaced since. */
async function storeReplaced(): Promise<Download> {
  const replaced = { ...(await prepare()), folders: [{ address: '/media/old/v720/', segments: 1 }] }
  files.clear()
  files.set('/offline/1-2/manifest.mpd', new Response('old'))
  for (const file of ['init.mp4', '1.m4s']) files.set(`/offline/media/old/v720/${file}`, new Response())
  stored.push(replaced)
  vi.mocked(askAsset).mockResolvedValue({ ...(await askAsset(replaced, undefined)), licence: LICENCE })
  device.bytesLeft = 100
  return replaced
}

test('A4.2-05 a title whose media was replaced is renewed in the space of its old files', async () => {
  const replaced = await storeReplaced()
  keys.mockImplementation(async () => {
    // The old files can still be played if the licence is refused.
    expect(files.size).toBe(3)
    return { sealed: { publicKey: '', iv: '', data: '' }, licence: null, expiresAt: 9, playSeconds: 9 }
  })
  const { folders } = await askFiles('1-2', replaced, undefined, replaced)
  expect(folders).toEqual([{ address: '/media/a/v720/', segments: 2 }])
  expect([...files.keys()]).toEqual(['/offline/1-2/manifest.mpd'])
  expect(await files.get('/offline/1-2/manifest.mpd')?.text()).toBe('<MPD/>')
})

test('A8.3-14 a renewal whose licence is refused leaves the manifest and the files as they are', async () => {
  const replaced = await storeReplaced()
  keys.mockRejectedValue(new ApiError({ code: -513, status: 403, message: '' }))
  await expect(askFiles('1-2', replaced, undefined, replaced)).rejects.toThrow(ApiError)
  expect(files.size).toBe(3)
  expect(await files.get('/offline/1-2/manifest.mpd')?.text()).toBe('old')
})

test('A8.3-14 old files that another download needs are no room for new ones', async () => {
  const replaced = await storeReplaced()
  stored.push({ ...replaced, key: '9-2', profileId: 9 })
  await expect(askFiles('1-2', replaced, undefined, replaced)).rejects.toThrow(NoRoomError)
  expect(files.size).toBe(3)
})
