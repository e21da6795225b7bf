// @vitest-environment happy-dom
import { LAYOUT } from '@ondine/contract/constants'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useConnectionNotice } from './connection-notice.ts'

let isOnline = true
let root: Root | undefined
let place: Element

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
})
afterEach(async () => {
  await closeShell()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Notice() {
  return useConnectionNotice()
}

/** Opens a page with the shell, which shows the notice. */
async function openShell(): Promise<void> {
  place = document.createElement('div')
  root = createRoot(place)
  await act(async () => root?.render(createElement(Notice)))
}

/** Opens a page without the shell, such as the player. */
async function closeShell(): Promise<void> {
  await act(async () => root?.unmount())
  root = undefined
}

async function connect(online: boolean): Promise<void> {
  isOnline = online
  await act(async () => void dispatchEvent(new Event(online ? 'online' : 'offline')))
}

async function wait(milliseconds: number): Promise<void> {
  await act(async () => await vi.advanceTimersByTimeAsync(milliseconds))
}

test('V2.4-15 a connection that returns while the player is open has returned on the next page, for 6 s', async () => {
  await openShell()
  await connect(false)
  expect(place.textContent).toBe('offline')
  await closeShell()
  await connect(true)
  await openShell()
  expect(place.textContent).toBe('back')
  await wait(LAYOUT.offlineToasterHideMs)
  expect(place.textContent).toBe('none')
})

test('V2.4-15 the notice of a returned connection does not stay after a visit of the player', async () => {
  await openShell()
  await connect(false)
  await connect(true)
  expect(place.textContent).toBe('back')
  await closeShell()
  await openShell()
  await wait(LAYOUT.offlineToasterHideMs)
  expect(place.textContent).toBe('none')
})

test('V2.4-15 a connection that is lost while the player is open is lost on the next page', async () => {
  await openShell()
  await closeShell()
  await connect(false)
  await openShell()
  expect(place.textContent).toBe('offline')
  await connect(true)
  await wait(LAYOUT.offlineToasterHideMs)
  expect(place.textContent).toBe('none')
})
