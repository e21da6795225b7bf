// @vitest-environment happy-dom
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement, type ReactElement, useSyncExternalStore } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildAsset } from '../catalogue/asset-builder.ts'
import type { Download } from './download.ts'
import { DownloadButton } from './download-button.tsx'
import { removeDownload, requestDownload, stopDownload } from './downloads.ts'
import { DownloadsScreen } from './downloads-screen.tsx'
import { requestSeason } from './request-season.ts'
import { SeasonButton } from './season-button.tsx'

let root: Root | undefined
let place: HTMLElement

/** The downloads on this device. */
const device = vi.hoisted(() => ({ downloads: [] as readonly Download[], changed: () => {} }))

vi.mock('react-i18next', () => ({
  useTranslation: () => ({ t: (key: string, values = {}) => [key, ...Object.values(values)].join(' ') }),
}))
vi.mock('../../../design/buttons/button.tsx', async (original) => ({
  ...(await original<typeof import('../../../design/buttons/button.tsx')>()),
  ButtonLink: ({ to, label }: { to: string; label?: string }) =>
    createElement('a', { href: to, 'aria-label': label }),
}))
vi.mock('../../../words/place.tsx', () => ({
  usePlace: () => ({ language: 'fra', country: 'FR', timeZone: 'UTC' }),
}))
vi.mock('../../ground/clock/device-clock.ts', () => ({ deviceNow: () => 1_800_000_000_000 }))
vi.mock('../../ground/session/session.ts', () => ({
  useSession: () => ({ account: { id: 5 }, profile: { id: 1 } }),
}))
vi.mock('./chosen-files.ts', () => ({
  downloadFiles: () => ({ pictureAt: async () => undefined, bytesLeft: async () => undefined }),
}))
vi.mock('./download-languages.ts', () => ({
  useDownloadLanguages: () => () => ({ audio: 'fra', subtitle: 'non' }),
}))
vi.mock('./downloads.ts', () => ({
  removeDownload: vi.fn<typeof removeDownload>(),
  requestDownload: vi.fn(),
  stopDownload: vi.fn(),
}))
vi.mock('./remember-time.ts', () => ({ rememberTime: async () => {} }))
vi.mock('./request-season.ts', () => ({ requestSeason: vi.fn() }))
vi.mock('./use-downloads.ts', () => {
  const useDownloads = () =>
    useSyncExternalStore(
      (changed) => {
        device.changed = changed
        return () => {}
      },
      () => device.downloads,
    )
  return {
    useDownloads,
    useDownload: (_profile: number, assetId: number) =>
      useDownloads().find((download) => download.assetId === assetId),
  }
})

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  place = document.createElement('main')
  document.body.append(place)
})
afterEach(async () => {
  await act(async () => root?.unmount())
  place.remove()
  onlineManager.setOnline(true)
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

function download(assetId: number, fields: Partial<Download> = {}): Download {
  return {
    key: `1-${assetId}`,
    accountId: 5,
    profileId: 1,
    assetId,
    state: 'COMPLETED',
    downloadProgress: { percentDownloaded: 100 },
    failure: null,
    title: `Film ${assetId}`,
    subtitle: '',
    durationSeconds: 60,
    bytes: 1000,
    height: 720,
    folders: [],
    languages: { audio: 'fra', subtitle: 'non' },
    licence: null,
    // The newest download is the first one in the list.
    addedAt: 100 - assetId,
    times: {
      expiresAt: 1_900_000_000,
      playSeconds: 1_900_000_000,
      firstPlayedAt: null,
      latestAt: 0,
      aheadSeconds: 0,
    },
    ...fields,
  }
}

const RUNNING = { state: 'DOWNLOADING', downloadProgress: { percentDownloaded: 40 } } as const

/** Shows a part of a page, with some downloads on the device. */
async function show(part: ReactElement, ...downloads: Download[]): Promise<void> {
  device.downloads = downloads
  root = createRoot(place)
  await act(async () => root?.render(createElement(QueryClientProvider, { client: new QueryClient() }, part)))
}

/** Changes the downloads on the device, as an action does. */
async function become(...downloads: Download[]): Promise<void> {
  await act(async () => {
    device.downloads = downloads
    device.changed()
  })
}

function button(name: string): HTMLElement {
  const found = [...place.querySelectorAll('button')].find((each) => nameOf(each) === name)
  if (found === undefined) throw new Error(`There is no button ${name}`)
  return found
}

function nameOf(element: Element | null): string | null | undefined {
  return element?.ariaLabel ?? element?.getAttribute('aria-label') ?? element?.textContent
}

async function focus(name: string): Promise<void> {
  await act(async () => button(name).focus())
}

async function press(name: string): Promise<void> {
  await focus(name)
  await act(async () => button(name).click())
}

/** Name of the element that has the focus; undefined if none has it. */
const focused = () => (document.activeElement === document.body ? undefined : nameOf(document.activeElement))

test('the focus stays on the button that stops and resumes a download', async () => {
  await show(createElement(DownloadsScreen), download(1, RUNNING))
  await press('downloads.stopOf Film 1')
  expect(stopDownload).toHaveBeenCalledExactlyOnceWith('1-1')
  await become(download(1, { ...RUNNING, state: 'STOPPED' }))
  expect(focused()).toBe('downloads.resumeOf Film 1')
})

test('the focus goes from the stop button to the play link when the download is complete', async () => {
  await show(createElement(DownloadsScreen), download(1, RUNNING))
  await focus('downloads.stopOf Film 1')
  await become(download(1))
  await vi.waitFor(() => expect(focused()).toBe('downloads.playOf Film 1'))
})

test('the focus goes to the next row when a row is removed, and at last to the heading', async () => {
  await show(createElement(DownloadsScreen), download(1), download(2))
  await press('downloads.removeOf Film 1')
  await become(download(2))
  await vi.waitFor(() => expect(focused()).toBe('downloads.playOf Film 2'))
  await press('downloads.removeOf Film 2')
  await become()
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
})

test('A4.2-05 a removal that has not succeeded can be repeated in the list', async () => {
  await show(createElement(DownloadsScreen), download(1, { state: 'REMOVING' }))
  await press('downloads.removeOf Film 1')
  expect(removeDownload).toHaveBeenCalledExactlyOnceWith('1-1')
})

const FILM = buildAsset({ idAsset: 1, title: 'Film 1' })

test('A4.2-05 a removal that has not succeeded can be repeated on the page of the title', async () => {
  await show(createElement(DownloadButton, { asset: FILM, subtitle: '' }), download(1, { state: 'REMOVING' }))
  await press('downloads.removeOf Film 1')
  expect(removeDownload).toHaveBeenCalledExactlyOnceWith('1-1')
})

test('A4.2-05 a download is stopped without a connection, and a request is not kept for later', async () => {
  onlineManager.setOnline(false)
  await show(createElement(DownloadButton, { asset: FILM, subtitle: '' }), download(1, RUNNING))
  await press('downloads.stopOf Film 1')
  expect(stopDownload).toHaveBeenCalledExactlyOnceWith('1-1')
  await become()
  await press('downloads.downloadOf Film 1')
  expect(requestDownload).toHaveBeenCalledOnce()
})

test('the focus goes to the choice of the season when its last episode is requested', async () => {
  const season = createElement('button', { type: 'button' }, 'Saison 1')
  const episodes = [FILM, buildAsset({ idAsset: 2, title: 'Film 2' })]
  await show(createElement('div', null, season, createElement(SeasonButton, { episodes, series: '' })))
  await press('downloads.season 2')
  expect(requestSeason).toHaveBeenCalledOnce()
  await become(download(1))
  expect(focused()).toBe('downloads.season 1')
  await become(download(1), download(2))
  expect(focused()).toBe('Saison 1')
})

test('the focus does not move when a season is complete that the viewer has left', async () => {
  const season = createElement('button', { type: 'button' }, 'Saison 1')
  await show(
    createElement('div', null, season, createElement(SeasonButton, { episodes: [FILM], series: '' })),
  )
  await focus('downloads.season 1')
  await act(async () => button('downloads.season 1').blur())
  await become(download(1))
  expect(document.activeElement).toBe(document.body)
})
