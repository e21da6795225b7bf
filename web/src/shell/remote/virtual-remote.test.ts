// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, createElement } from 'react'
import { Button } from 'react-aria-components/Button'
import { Checkbox } from 'react-aria-components/Checkbox'
import { Heading } from 'react-aria-components/Heading'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Sheet } from '../../design/overlays/sheet.tsx'
import { bundledWords } from '../../words/bundled-words.ts'
import VirtualRemote from './virtual-remote.tsx'

vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({}),
}))

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  Element.prototype.checkVisibility = () => true
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** Shows a control beside the remote, or in the player that has the remote. Returns the place of both. */
async function show(control: ReturnType<typeof createElement>, place = document.createElement('main')) {
  root = createRoot(document.body.appendChild(place))
  const both = createElement('div', { 'data-controls': '' }, control, createElement(VirtualRemote))
  await act(async () => root.render(createElement(I18nextProvider, { i18n: bundledWords('fra') }, both)))
  return place
}

async function pressOk(): Promise<void> {
  const ok = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'OK')
  await act(async () => ok?.click())
}

function player(): HTMLElement {
  const main = document.createElement('main')
  main.dataset.cinema = ''
  return main
}

test.each([
  ['a screen', () => document.createElement('main')],
  ['the player', player],
])('V3-47 OK of the remote on the screen presses a button of %s, and releases it', async (_what, place) => {
  const onPress = vi.fn<() => void>()
  const shown = await show(createElement(Button, { onPress }, 'Ajouter'), place())
  const button = shown.querySelector('button')
  await act(async () => button?.focus())
  await pressOk()
  expect(onPress).toHaveBeenCalledTimes(1)
  expect(button?.dataset.pressed).toBeUndefined()
  await pressOk()
  expect(onPress).toHaveBeenCalledTimes(2)
})

test('V3-47 OK of the remote on the screen checks and clears a checkbox', async () => {
  const onChange = vi.fn<(checked: boolean) => void>()
  const shown = await show(createElement(Checkbox, { onChange }, 'Se souvenir de moi'))
  await act(async () => shown.querySelector('input')?.focus())
  await pressOk()
  await pressOk()
  expect(onChange.mock.calls).toEqual([[true], [false]])
})

test('V3-47 V4-59 OK of the remote on the screen plays or pauses while no control of the player has the focus', async () => {
  await show(createElement('video'), player())
  const keys: string[] = []
  const follow = ({ key }: KeyboardEvent) => keys.push(key)
  addEventListener('keydown', follow)
  await pressOk()
  removeEventListener('keydown', follow)
  expect(keys).toEqual([' '])
})

test('V3-47 the remote on the screen stays usable while a modal is open, and does not close it', async () => {
  const onPress = vi.fn<() => void>()
  const onClose = vi.fn<() => void>()
  const children = [
    createElement(Heading, { key: 'title', slot: 'title' }, 'Supprimer ?'),
    createElement(Button, { key: 'button', onPress }, 'Supprimer'),
  ]
  const sheet = { open: true, id: 1, onClose, children }
  const shown = await show(createElement(Sheet, sheet))
  await act(async () => document.querySelector<HTMLElement>('[role=dialog] button')?.focus())
  const remote = shown.querySelector('fieldset')
  expect(remote?.closest('[inert], [aria-hidden]')).toBeNull()
  const press = { bubbles: true, cancelable: true, button: 0 }
  await act(
    async () => void remote?.querySelector('button')?.dispatchEvent(new PointerEvent('pointerdown', press)),
  )
  await pressOk()
  expect(onClose).not.toHaveBeenCalled()
  expect(onPress).toHaveBeenCalledTimes(1)
})

test('V3-47 the remote on the screen is at the upper edge while a modal is open, also over the player', async () => {
  const children = createElement(Heading, { slot: 'title' }, 'Supprimer ?')
  const sheet = (open: boolean) => {
    const props = { open, id: 1, onClose: () => {}, children }
    return createElement(Sheet, props)
  }
  const rules = readFileSync(join(import.meta.dirname, 'virtual-remote.module.css'), 'utf8')
  const style = document.body.appendChild(document.createElement('style'))
  style.textContent = rules.replaceAll('.remote', 'fieldset')
  const edges = () => {
    const remote = document.querySelector('fieldset')
    const computed = remote && getComputedStyle(remote)
    return ['inset-block-start', 'inset-block-end'].map((edge) => computed?.getPropertyValue(edge))
  }
  await show(sheet(false))
  expect(edges()).toEqual(['', expect.stringContaining('16px')])
  await act(async () => root.unmount())
  document.body.append(player())
  await show(sheet(false))
  expect(edges()).toEqual(['', '26vh'])
  await act(async () => root.unmount())
  await show(sheet(true))
  expect(edges()).toEqual([expect.stringContaining('16px'), 'auto'])
})
