// @vitest-environment happy-dom
import { act, createElement, Fragment } from 'react'
import { Button } from 'react-aria-components/Button'
import { Heading } from 'react-aria-components/Heading'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Sheet } from '../../design/overlays/sheet.tsx'
import { bundledWords } from '../../words/bundled-words.ts'
import RemoteOverPlayer from './remote-over-player.tsx'

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({}),
}))

let root: Root
const onPress = vi.fn<() => void>()
const onClose = vi.fn<() => void>()

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  Element.prototype.checkVisibility = () => true
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
  Reflect.deleteProperty(document, 'fullscreenElement')
})

/** Shows the player with a video and the remote, and beside it a modal that may be open. */
async function show({ modal }: { modal: boolean }) {
  const children = [
    createElement(Heading, { key: 'title', slot: 'title' }, 'Code parental'),
    createElement(Button, { key: 'button', onPress }, 'Valider'),
  ]
  const sheet = { open: modal, id: 1, onClose, children }
  const all = createElement(
    Fragment,
    {},
    createElement('main', { 'data-cinema': '' }, createElement('video'), createElement(RemoteOverPlayer)),
    createElement(Sheet, sheet),
  )
  await act(async () => root.render(createElement(I18nextProvider, { i18n: bundledWords('fra') }, all)))
}

/** Tells the page which element fills the screen. */
async function setFullscreen(element: Element | null) {
  Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: element })
  await act(async () => document.dispatchEvent(new Event('fullscreenchange')))
}

const remote = () => document.querySelector('fieldset')

test('V3-47 OK of the remote on the screen presses a button of a modal over the player', async () => {
  await show({ modal: true })
  await act(async () => document.querySelector<HTMLElement>('[role=dialog] button')?.focus())
  // The player and all its parts are below the backdrop of the modal, which closes the modal when it is pressed.
  expect(remote()?.closest('[data-cinema], [inert], [aria-hidden]')).toBeNull()
  const ok = [...(remote()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === 'OK')
  const press = { bubbles: true, cancelable: true, button: 0 }
  await act(async () => void ok?.dispatchEvent(new PointerEvent('pointerdown', press)))
  await act(async () => ok?.click())
  expect(onClose).not.toHaveBeenCalled()
  expect(onPress).toHaveBeenCalledTimes(1)
})

test('V3-47 V4-36 in full screen the remote is inside the player, which alone is visible', async () => {
  await show({ modal: false })
  await setFullscreen(document.querySelector('main'))
  expect(remote()?.closest('[data-cinema]')).not.toBeNull()
  await setFullscreen(null)
  expect(remote()?.closest('[data-cinema]')).toBeNull()
})
