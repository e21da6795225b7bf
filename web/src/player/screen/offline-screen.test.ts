// @vitest-environment happy-dom
import { act, createElement, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { OfflineScreen } from './offline-screen.tsx'

/** The assets of the downloads on this device. */
const device = vi.hoisted(() => ({ assets: [1, 2] as readonly number[], changed: () => {} }))

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }))
vi.mock('../../features/content/downloads/download.ts', () => ({
  shownDownloads: (downloads: readonly number[]) => downloads,
}))
vi.mock('../../features/content/downloads/download-list.tsx', () => ({
  DownloadList: ({ downloads }: { downloads: readonly number[] }) =>
    downloads.map((id) =>
      createElement(
        'div',
        { key: id, 'data-row': id },
        createElement('button', { type: 'button' }, String(id)),
      ),
    ),
}))
vi.mock('../../features/content/downloads/store.ts', () => ({ activeProfile: async () => 1 }))
vi.mock('../../features/content/downloads/use-downloads.ts', () => ({
  useDownloads: () =>
    useSyncExternalStore(
      (changed) => {
        device.changed = changed
        return () => {}
      },
      () => device.assets,
    ),
}))

afterEach(() => {
  vi.unstubAllGlobals()
})

test('A2.4-02 the focus goes to the next row when a download is removed, and at last to the heading', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  await act(async () => root.render(createElement(OfflineScreen)))
  const become = async (...assets: number[]) =>
    await act(async () => {
      device.assets = assets
      device.changed()
    })
  place.querySelector<HTMLElement>('[data-row="1"] button')?.focus()
  await become(2)
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('2'))
  await become()
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H1'))
  await act(async () => root.unmount())
  place.remove()
})
