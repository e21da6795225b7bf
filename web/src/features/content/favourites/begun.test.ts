// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { removeBegun } from './begun.ts'

vi.mock('../../../api/call.ts', () => ({ call: async () => ({}) }))

const { t } = bundledWords('fra')

afterEach(() => document.body.replaceChildren())

/**
 * Shows the cards of begun assets, and removes the asset 2. `after` is the HTML that follows the cards.
 * @returns the focused element
 */
async function remove(begun: number[], focused: number, after = ''): Promise<Element | null> {
  const cards = begun.map((id) => `<li><div data-card="asset-${id}"><a href="#${id}">x</a></div></li>`)
  document.body.innerHTML = `<main tabindex="-1"><ul>${cards.join('')}${after}</ul></main>`
  document.querySelector<HTMLElement>(`[href="#${focused}"]`)?.focus()
  await removeBegun(new QueryClient(), { idAsset: 2, title: 'Encre' }, t)
  return document.activeElement
}

test.each([
  [[1, 2, 3], '#3'],
  [[1, 2], '#1'],
])('V4-49 of the cards %j, the removal of 2 leads the focus to %s', async (begun, href) => {
  expect((await remove(begun, 2))?.getAttribute('href')).toBe(href)
})

test('V4-49 a placeholder after the removed card does not get the focus', async () => {
  expect((await remove([1, 2], 2, '<li aria-hidden="true"></li>'))?.getAttribute('href')).toBe('#1')
})

test('V4-49 a recording with the id of a removed asset keeps the focus', async () => {
  document.body.innerHTML =
    '<main tabindex="-1"><ul><li><div data-card="recording-2"><a href="#r">x</a></div></li></ul></main>'
  document.querySelector('a')?.focus()
  await removeBegun(new QueryClient(), { idAsset: 2, title: 'Encre' }, t)
  expect(document.activeElement?.getAttribute('href')).toBe('#r')
  await removeBegun(new QueryClient(), { idRecording: 2, title: 'Le Bal' }, t)
  expect(document.activeElement?.tagName).toBe('MAIN')
})

test('V4-49 the removal of the last card leads the focus to the screen', async () => {
  expect((await remove([2], 2))?.tagName).toBe('MAIN')
})

test('V4-49 the focus stays if it has moved to another card in the meantime', async () => {
  expect((await remove([1, 2, 3], 1))?.getAttribute('href')).toBe('#1')
})
