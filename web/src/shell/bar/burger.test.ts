// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../words/bundled-words.ts'
import { Burger } from './burger.tsx'

vi.mock('./burger-menu.tsx', () => ({ default: () => createElement('a', { href: '#films' }, 'Films') }))

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

test('V4-08 the menu stays open while the focus is in the bar, and closes when it moves to a header of the page', async () => {
  const bar = document.body.appendChild(document.createElement('header'))
  const main = document.body.appendChild(document.createElement('main'))
  main.innerHTML = '<header><a href="#play">Lire</a></header>'
  root = createRoot(bar)
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  const burger = createElement(
    I18nextProvider,
    { i18n: bundledWords('fra') },
    createElement(Burger, { items: [] }),
  )
  await act(async () => root.render(createElement(RouterContextProvider, { router } as never, burger)))
  const button = bar.querySelector('button')
  await act(async () => button?.click())
  expect(button?.getAttribute('aria-expanded')).toBe('true')
  await act(async () => bar.querySelector('a')?.focus())
  expect(document.activeElement?.textContent).toBe('Films')
  expect(button?.getAttribute('aria-expanded')).toBe('true')
  await act(async () => main.querySelector('a')?.focus())
  expect(button?.getAttribute('aria-expanded')).toBe('false')
})
