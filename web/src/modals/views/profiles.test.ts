// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../words/bundled-words.ts'
import { ProfileView } from './profiles.tsx'

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

/** Shows the form of a new profile, with the focus on its name. */
async function show(initial: { name: string; language: string }): Promise<HTMLElement> {
  const place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  const modal = {
    id: 1,
    type: 'profile' as const,
    initial: { avatarId: null, isKid: false, hasControl: false, level: 0, ...initial },
    avatars: [{ id: 1, name: 'La vague', picture: '/wave' }],
    languages: [{ id: 'fra', title: 'Français' }],
    levels: [],
    isNew: true,
    isDefault: false,
    noKid: undefined,
    hasControl: false,
    hasCode: false,
    save: async () => undefined,
  }
  const view = createElement(ProfileView, { modal: modal as never, answer: () => {}, settle: () => {} })
  await act(async () => root.render(createElement(I18nextProvider, { i18n: bundledWords('fra') }, view)))
  await act(async () => place.querySelector<HTMLElement>('input[name="name"]')?.focus())
  return place
}

test('A2.3-08 a profile that is submitted without a language shows the error of its language', async () => {
  const place = await show({ name: 'Camille', language: '' })
  const event = new Event('submit', { bubbles: true, cancelable: true })
  await act(async () => void place.querySelector('form')?.dispatchEvent(event))
  expect(document.activeElement?.closest('[data-invalid]')).not.toBeNull()
  expect(place.textContent).toContain(bundledWords('fra').t('profiles.required'))
})

test('A2.3-08 a new profile shows no error if the viewer leaves its name before typing', async () => {
  const place = await show({ name: '', language: 'fra' })
  await act(async () => place.querySelector<HTMLElement>('input[name="name"]')?.blur())
  expect(place.querySelector('[aria-invalid="true"]')).toBeNull()
})

test('A5-01 A5-02 a new profile shows the error of its empty name once the viewer goes on in its form', async () => {
  const place = await show({ name: '', language: 'fra' })
  await act(async () => place.querySelector<HTMLElement>('button[type="submit"]')?.focus())
  expect(place.querySelector('[aria-invalid="true"]')?.getAttribute('name')).toBe('name')
})

test('A5-01 A2.3-08 a picture of a new profile can be pressed before its name is entered, without an error', async () => {
  const place = await show({ name: '', language: 'fra' })
  const picture = place.querySelector<HTMLElement>('button[aria-pressed]')
  const pointer = { bubbles: true, cancelable: true, button: 0, pointerId: 1, pointerType: 'mouse' }
  await act(async () => {
    picture?.dispatchEvent(new PointerEvent('pointerdown', pointer))
    picture?.dispatchEvent(new MouseEvent('mousedown', pointer))
    // As browsers do on a press.
    picture?.focus()
  })
  expect(document.activeElement?.getAttribute('name')).toBe('name')
  expect(place.querySelector('[aria-invalid="true"]')).toBeNull()
  await act(async () => picture?.click())
  expect(picture?.getAttribute('aria-pressed')).toBe('true')
})
