import { contentData } from '@ondine/contract/catalogue'
import { downloadLicence } from '@ondine/contract/downloads'
import { listAssetTags } from '@ondine/contract/playback'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { buildAsset } from '../catalogue/asset-builder.ts'
import { askAsset } from './ask-asset.ts'
import { type Download, isCheckDue } from './download.ts'
import { NoRoomError } from './failure.ts'
import { keepLicence, wantedLicence } from './kept-licence.ts'
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
vi.mock('./kept-licence.ts', async (original) => {
  const own = await original<typeof import('./kept-licence.ts')>()
  return { ...own, keepLicence: vi.fn(own.keepLicence), wantedLicence: vi.fn(own.wantedLicence) }
})
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
  keys.mockReset()
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
  const viewer = { account: { id: 5, firstName: 'Anne', lastName: 'Morel' }, profileId: 1 }
  const wanted = {
    asset,
    subtitle: '',
    ...viewer,
    languages: LANGUAGES,
    language: 'fra' as const,
    imageHeights: [240, 444],
  }
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

test('V3-41 a download knows the name in its account, which the watermark shows', async () => {
  const accountName = { firstName: 'Anne', lastName: 'Morel' }
  expect(await prepare()).toMatchObject({ accountId: 5, accountName })
})

test('V3-50 a download stores its picture at a configured height, and no blurred picture (A6-08)', async () => {
  const requested = vi.fn(async () => new Response('<MPD/>'))
  vi.stubGlobal('fetch', requested)
  const thumbnailImage = { url: '/images/a', width: 1600, height: 900, color: '#000000' }
  await prepare({ ...ASSET, thumbnailImage })
  expect(requested).toHaveBeenCalledWith('/images/a/444', expect.anything())
  expect([...files.keys()]).toContain('/offline/1-2/picture')
  files.clear()
  await prepare({ ...ASSET, thumbnailImage, isBlurred: true })
  expect([...files.keys()]).toEqual(['/offline/1-2/manifest.mpd'])
})

const WITH_PICTURE = buildAsset({
  ...ASSET,
  posterImage: { url: 'https://service.example/image/7', width: 600, height: 900, color: '' },
})

test('V1-13 a download whose picture does not arrive goes on without it after 30 s', async () => {
  vi.useFakeTimers()
  try {
    vi.stubGlobal('fetch', async (address: string, { signal }: { signal?: AbortSignal } = {}) =>
      address.includes('/image/')
        ? await new Promise<Response>((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason))
          })
        : new Response('<MPD/>'),
    )
    const prepared = prepare(WITH_PICTURE)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await prepared).toMatchObject({ state: 'QUEUED' })
    expect([...files.keys()]).toEqual(['/offline/1-2/manifest.mpd'])
  } finally {
    vi.useRealTimers()
  }
})

test('V1-13 a download works without its picture', async () => {
  vi.stubGlobal('fetch', async (address: string) =>
    address.includes('/image/') ? new Response('', { status: 404 }) : new Response('<MPD/>'),
  )
  expect(await prepare(WITH_PICTURE)).toMatchObject({ state: 'QUEUED' })
  expect([...files.keys()]).toEqual(['/offline/1-2/manifest.mpd'])
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
    expect(keys).toHaveBeenCalledWith(contentData, { idAsset: 2 })
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

test('V4-41 a download knows its intro and its chapters, and is prepared without them', async () => {
  const tags: Download['tags'] = {
    tags: [{ type: 'intro', timestamp: 4, end: 12, label: 'Générique' }],
    chapters: [{ type: 'chapter', timestamp: 0, end: 60, label: 'Générique' }],
  }
  keys.mockResolvedValueOnce(tags)
  expect(await prepare()).toMatchObject({ state: 'QUEUED', tags })
  expect(keys).toHaveBeenLastCalledWith(listAssetTags, { idAsset: 2 })
  const refusal = new ApiError({ code: -503, status: 503, message: '' })
  keys.mockRejectedValueOnce(refusal)
  const download = await prepare()
  expect(download).toMatchObject({ state: 'QUEUED', tags: undefined })
  // A renewal adds them to an older download, and keeps them if the service does not answer.
  keys.mockResolvedValueOnce(tags)
  expect(await askFiles('1-2', download, undefined, download)).toMatchObject({ tags })
  keys.mockRejectedValueOnce(refusal)
  expect(await askFiles('1-2', download, undefined, { ...download, tags })).toMatchObject({ tags })
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

test('A4.9-05 a download on a device with FairPlay orders a licence of FairPlay, and keeps it', async () => {
  const licence = {
    provider: 'axinom',
    keySystem: 'com.apple.fps',
    authMethod: 'token',
    licenceUrl: '/proxy/downloadLicence',
    token: 'signed',
    certificateUrl: '/play/token/certificate',
  } as const
  const answer = await askAsset({ assetId: 2, languages: LANGUAGES, height: undefined }, undefined)
  vi.mocked(askAsset).mockResolvedValue({ ...answer, licence })
  const kept = {
    keySystem: 'com.apple.fps',
    sessionId: 'session-1',
    initData: 'AA==',
    certificate: 'MII=',
  } as const
  vi.mocked(wantedLicence).mockResolvedValueOnce(kept)
  vi.mocked(keepLicence).mockImplementationOnce(async (wanted, order) => {
    expect(await order(new Uint8Array([1, 2]))).toEqual(new Uint8Array([3, 4]))
    return { ...wanted, sessionId: 'session-1' }
  })
  keys.mockImplementation(async (operation) =>
    operation === downloadLicence
      ? { sealed: {}, licence: 'AwQ=', expiresAt: 1_800_100_000, playSeconds: 3600 }
      : null,
  )
  expect(await prepare()).toMatchObject({ kept, times: { expiresAt: 1_800_100_000 } })
  expect(vi.mocked(wantedLicence).mock.lastCall?.[1]).toMatchObject({ initSegment: '/media/a/v720/init.mp4' })
  expect(keys).toHaveBeenCalledWith(
    downloadLicence,
    expect.objectContaining({ token: 'signed', keySystem: 'com.apple.fps', challenge: 'AQI=' }),
  )
})
