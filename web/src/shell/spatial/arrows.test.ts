// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { moveFocus } from './arrows.ts'

/** Places of the elements, by id: a list that continues below the window, and a toast at the bottom. */
const TOPS: Record<string, number> = {
  menu: 0,
  entry: 70,
  first: 100,
  second: 200,
  third: 800,
  undo: 700,
  skip: -60,
}

beforeEach(() => {
  vi.stubGlobal('innerHeight', 768)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, TOPS[this.id] ?? 0, 100, 60)
  })
  Element.prototype.checkVisibility = () => true
  Element.prototype.scrollIntoView = () => {}
  document.body.innerHTML = `
    <a id="skip" href="#content">Aller au contenu</a>
    <header><button id="menu">Menu</button><a id="entry" href="#entry">Mon compte</a></header>
    <main><a id="first" href="#1">1</a><a id="second" href="#2">2</a><a id="third" href="#3">3</a></main>
    <div aria-live="polite"><button id="undo" data-toast-action="">Annuler</button></div>`
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

/** Presses arrows from an element. @returns the id of the element that has the focus then */
function press(from: string, ...arrows: Parameters<typeof moveFocus>[0][]): string | undefined {
  document.getElementById(from)?.focus()
  for (const arrow of arrows) moveFocus(arrow)
  return document.activeElement?.id
}

test('the down arrow leads from everywhere on a list to the action of a toast, and on into the list', () => {
  expect(press('first', 'down')).toBe('undo')
  expect(press('first', 'down', 'down')).toBe('third')
})

test('the up arrow leads from a toast back into the list', () => {
  expect(press('first', 'down', 'up')).toBe('second')
})

test('the down arrow leads to a toast only once, so that the list behind stays in reach', () => {
  expect(press('first', 'down', 'up', 'down')).toBe('third')
})

test('the down arrow stays in an open menu of the bar, and in the player', () => {
  expect(press('menu', 'down')).toBe('entry')
  document.querySelector('main')?.setAttribute('data-cinema', '')
  expect(press('first', 'down')).toBe('second')
})

test('without a toast, the down arrow leads to the next element', () => {
  document.getElementById('undo')?.remove()
  expect(press('first', 'down')).toBe('second')
})
