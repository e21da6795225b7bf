import type { Asset } from '@ondine/contract/entities'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { askAsset } from './ask-asset.ts'
import { prepareDownload } from './prepare-download.ts'

/** Files on the device, by address. */
const files = vi.hoisted(() => new Map<string, Response>())
const protect = vi.hoisted(() => vi.fn<() => Promise<void>>())

vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => 1_800_000_000_000 }))
vi.mock('./ask-asset.ts', () => ({ askAsset: vi.fn<typeof askAsset>() }))
vi.mock('./store.ts', () => ({ listDownloads: async () => [] }))
vi.mock('./chosen-files.ts', () => ({
  downloadFiles: () => ({
    protect,
    requireReady: async () => {},
    bytesLeft: async () => undefined,
    list: async () => [...files.keys()],
    put: async (address: string, content: Response) => void files.set(address, content),
  }),
}))

const LANGUAGES = { audio: 'fra', subtitle: 'non' }
// The code under test reads only these fields of a title.
const ASSET = { idAsset: 2, title: 'La Houle', durationInSeconds: 60 } as Asset

beforeEach(() => {
  files.clear()
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

test('V1-13 a download does not wait until the viewer lets the browser keep its files', async () => {
  // The browser asks the viewer for permission, and the viewer has not answered yet.
  protect.mockReturnValue(Promise.withResolvers<void>().promise)
  const viewer = { accountId: 5, profileId: 1 }
  const wanted = { asset: ASSET, subtitle: '', ...viewer, languages: LANGUAGES, language: 'fra' as const }
  const download = await prepareDownload('1-2', wanted, { height: 720, languages: LANGUAGES }, undefined)
  expect(download).toMatchObject({ key: '1-2', state: 'QUEUED', title: 'La Houle' })
  expect([...files.keys()]).toEqual(['/offline/1-2/manifest.mpd'])
  expect(protect).toHaveBeenCalledTimes(1)
})
