// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toast } from './toast.tsx'

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  Reflect.deleteProperty(document, 'fullscreenElement')
  vi.unstubAllGlobals()
})

/** Shows a toast on a page with a focused button. Returns this button. */
async function show(): Promise<HTMLElement> {
  const here = document.body.appendChild(document.createElement('button'))
  here.focus()
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const action = { text: 'Annuler', onPress: () => root.render(null) }
  const toast = {
    closeText: 'Fermer',
    durationMs: null,
    onClose: () => root.render(null),
    action,
    children: 'Supprimé',
  }
  await act(async () => root.render(createElement(Toast, toast)))
  return here
}

const f6 = async (modifiers: KeyboardEventInit = {}) =>
  await act(
    async () =>
      void document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'F6', cancelable: true, bubbles: true, ...modifiers }),
      ),
  )

const press = async (name: string) =>
  await act(async () => {
    const buttons = [...document.querySelectorAll<HTMLElement>('[role="presentation"] button')]
    buttons.find((button) => name === (button.getAttribute('aria-label') ?? button.textContent))?.click()
  })

test('F6 leads to the action of a toast, and back', async () => {
  const here = await show()
  expect(document.activeElement).toBe(here)
  await f6()
  expect(document.activeElement?.textContent).toBe('Annuler')
  await f6()
  expect(document.activeElement).toBe(here)
})

test.each(['Fermer', 'Annuler'])('a press on “%s” in a toast returns the focus', async (name) => {
  const here = await show()
  // Not by F6, but as Tab, an arrow key or a press moves the focus.
  await act(async () => document.querySelector<HTMLElement>('[aria-label="Fermer"]')?.focus())
  await press(name)
  expect(document.querySelector('[aria-label="Fermer"]')).toBeNull()
  expect(document.activeElement).toBe(here)
})

test('F6 leads back to the page after the viewer was in another window', async () => {
  const here = await show()
  await f6()
  const action = document.activeElement
  await act(async () => {
    action?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: null }))
    action?.dispatchEvent(new FocusEvent('focusin', { bubbles: true, relatedTarget: null }))
  })
  await f6()
  expect(document.activeElement).toBe(here)
})

test('a toast that closes without the focus does not move it', async () => {
  const here = await show()
  await f6()
  await f6()
  const elsewhere = document.body.appendChild(document.createElement('button'))
  elsewhere.focus()
  await press('Fermer')
  expect(here.isConnected).toBe(true)
  expect(document.activeElement).toBe(elsewhere)
})

test('F6 leads back to the page if no element had the focus', async () => {
  const here = await show()
  here.blur()
  await f6()
  expect(document.activeElement?.textContent).toBe('Annuler')
  await f6()
  expect(document.activeElement).toBe(document.body)
})

test('F6 does not lead to a toast with a modifier, behind a modal, or behind an element in full screen', async () => {
  const here = await show()
  await f6({ ctrlKey: true })
  expect(document.activeElement).toBe(here)
  const region = document.querySelector('[role="presentation"]')?.parentElement
  region?.setAttribute('inert', '')
  await f6()
  expect(document.activeElement).toBe(here)
  region?.removeAttribute('inert')
  // happy-dom has no full screen.
  Object.defineProperty(document, 'fullscreenElement', { value: here, configurable: true })
  await f6()
  expect(document.activeElement).toBe(here)
})

test('F6 does not lead to a toast if another element has handled the key', async () => {
  const here = await show()
  here.addEventListener('keydown', (event) => event.preventDefault())
  await f6()
  expect(document.activeElement).toBe(here)
})
