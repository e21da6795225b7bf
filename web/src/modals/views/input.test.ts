// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../words/bundled-words.ts'
import { InputView } from './input.tsx'

let root: Root
const answer = vi.fn<(value: string | null) => void>()

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

/** Shows the dialog for a voucher's code. */
async function show(check: (written: string) => Promise<string | undefined>, value: string) {
  const place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  const modal = { id: 1, type: 'input' as const, purpose: 'voucher' as const, value, check }
  const view = createElement(InputView, { modal: modal as never, answer, settle: () => {} })
  await act(async () => root.render(createElement(I18nextProvider, { i18n: bundledWords('fra') }, view)))
  return place
}

/** Shows the dialog, and sends it with the focus on its last button. Returns the field. */
async function submit(check: (written: string) => Promise<string | undefined>, value: string) {
  const place = await show(check, value)
  const input = place.querySelector('input')
  const form = place.querySelector('form')
  await act(async () => [...place.querySelectorAll('button')].at(-1)?.focus())
  await act(async () => void form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
  return input
}

function errorOf(input: HTMLInputElement | null): string {
  const ids = input?.getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('')
}

test('a dialog that is submitted without its value focuses its field, which has an error', async () => {
  const input = await submit(async () => undefined, '')
  expect(document.activeElement).toBe(input)
  expect(errorOf(input)).not.toBe('')
  expect(answer).not.toHaveBeenCalled()
  await act(async () => input?.blur())
  expect(errorOf(input)).not.toBe('')
})

test('a dialog whose value is refused focuses its field, which has the refusal as its error', async () => {
  const input = await submit(async () => 'Refusé', 'ONDINE-20')
  expect(document.activeElement).toBe(input)
  expect(errorOf(input)).toContain('Refusé')
  expect(answer).not.toHaveBeenCalled()
})

test.each([
  ['button[type="submit"]', 'true'],
  ['button[type="button"]', null],
])('A5-01 A5-02 an empty field that is left for %s has the error: %s', async (to, invalid) => {
  const place = await show(async () => undefined, '')
  const input = place.querySelector('input')
  await act(async () => input?.focus())
  await act(async () => place.querySelector<HTMLElement>(to)?.focus())
  expect(document.activeElement?.matches(to)).toBe(true)
  expect(input?.getAttribute('aria-invalid')).toBe(invalid)
})
