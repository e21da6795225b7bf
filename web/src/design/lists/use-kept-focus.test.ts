// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Grid } from './grid.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

let root: Root
const screen: { current: HTMLElement | null } = { current: null }

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  screen.current = document.body.appendChild(document.createElement('div'))
  root = createRoot(screen.current)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Screen({ cards }: { cards: string[] }) {
  useKeptFocus(screen)
  const grid = {
    layout: 'Cover' as const,
    children: cards.map((card) => createElement('a', { key: card, href: `#${card}` }, card)),
  }
  return [createElement('h1', { key: 'title' }, 'Ma liste'), createElement(Grid, { key: 'grid', ...grid })]
}

/** Keeps the focus on a screen without cards. */
function Kept() {
  useKeptFocus(screen)
  return null
}

const show = async (...cards: string[]) =>
  await act(async () => root.render(createElement(Screen, { cards })))

test('a card that is removed from a grid gives the focus to the next card, to the previous one, and then to the heading', async () => {
  await show('a', 'b', 'c')
  document.querySelector<HTMLElement>('[href="#b"]')?.focus()
  await show('a', 'c')
  expect(document.activeElement?.textContent).toBe('c')
  await show('a')
  expect(document.activeElement?.textContent).toBe('a')
  await show()
  expect(document.activeElement?.textContent).toBe('Ma liste')
})

test('undo gives the focus back to the restored card, as long as the viewer has not moved it', async () => {
  await show('a', 'b', 'c')
  document.querySelector<HTMLElement>('[href="#b"]')?.focus()
  await show('a', 'c')
  await show('a', 'b', 'c')
  expect(document.activeElement?.textContent).toBe('b')
  await show('a', 'c')
  document.querySelector<HTMLElement>('[href="#a"]')?.focus()
  await show('a', 'b', 'c')
  expect(document.activeElement?.textContent).toBe('a')
})

test('a row that keeps its place when its focused button disappears does not take the focus later', async () => {
  const showRow = async (button: string, ...notes: string[]) => {
    const row = createElement(
      'div',
      { 'data-row': 'voucher' },
      createElement('button', { key: button }, button),
    )
    const page = [createElement(Kept, { key: 'kept' }), createElement('div', { key: 'row' }, row), ...notes]
    await act(async () => root.render(page))
  }
  await showRow('Saisir')
  document.querySelector('button')?.focus()
  await showRow('Retirer')
  expect(document.activeElement?.textContent).toBe('Retirer')
  document.querySelector('button')?.blur()
  await showRow('Retirer', 'Total')
  expect(document.activeElement).toBe(document.body)
})
