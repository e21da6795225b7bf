// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Download } from './download.ts'
import { DownloadList } from './download-list.tsx'

const NOW = 1_800_000_000
const HOUR = 3600
/** The device's time in seconds. */
const clock = vi.hoisted(() => ({ device: 0 }))

let stored: Download
let root: Root | undefined

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }))
vi.mock('../../../design/buttons/button.tsx', () => ({
  Button: ({ children }: { children: string }) => children,
  ButtonLink: () => 'play',
}))
vi.mock('../../../words/place.tsx', () => ({
  usePlace: () => ({ language: 'fra', country: 'FR', timeZone: 'UTC' }),
}))
vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => clock.device * 1000 }))
vi.mock('./chosen-files.ts', () => ({ downloadFiles: () => ({ pictureAt: async () => undefined }) }))
vi.mock('./downloads.ts', () => ({}))
vi.mock('./store.ts', () => ({
  changeDownload: async (_key: string, change: (known: Download) => Partial<Download>) => {
    stored = { ...stored, ...change(stored) }
  },
}))

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  clock.device = NOW
  stored = {
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
    licence: null,
    addedAt: NOW,
    times: { expiresAt: NOW + HOUR, playSeconds: HOUR, firstPlayedAt: null, latestAt: NOW, aheadSeconds: 0 },
  }
})
afterEach(async () => {
  await close()
  vi.unstubAllGlobals()
})

/** Shows the list with the download as it is stored, and returns its text. */
async function show(): Promise<string> {
  await close()
  const list = createElement(DownloadList, { label: 'downloads', downloads: [stored] })
  const page = createElement(QueryClientProvider, { client: new QueryClient() }, list)
  const place = document.createElement('div')
  root = createRoot(place)
  await act(async () => root?.render(page))
  return place.textContent ?? ''
}

async function close(): Promise<void> {
  await act(async () => root?.unmount())
  root = undefined
}

test('spec 39 an end of a licence that the list has shown stays an end after the clock was set back', async () => {
  expect(await show()).toContain('play')
  clock.device = NOW + HOUR
  expect(await show()).toContain('downloads.state-expired')
  clock.device = NOW + 100
  const text = await show()
  expect(text).toContain('downloads.state-clock')
  expect(text).not.toContain('play')
})

test('A4.2-05 a state of another version of the application is unknown, and the viewer can resume the download', async () => {
  // Versions after this one may store further states.
  Object.assign(stored, { state: 'VERIFYING' })
  const text = await show()
  expect(text).toContain('downloads.state-UNKNOWN')
  expect(text).toContain('downloads.resume')
})
