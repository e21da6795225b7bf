// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bundledWords } from '../../words/bundled-words.ts'
import { PlaceProvider } from '../../words/place.tsx'
import type { PlayerActor } from '../machine/player-machine.ts'
import { next, POLL, playing } from '../machine/test-player.ts'
import { Announcer } from './announcer.tsx'

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

/** Shows the announcer. @returns a function that returns the announced texts */
async function show(actor: PlayerActor): Promise<() => (string | null)[]> {
  const place = document.createElement('div')
  root = createRoot(place)
  const content = {
    language: 'fra' as const,
    timeZone: 'Europe/Paris',
    dateFormat: 'D MMMM YYYY',
    children: createElement(Announcer, { actor, playback: 'playing' }),
  }
  const page = createElement(PlaceProvider, content)
  await act(async () => root.render(createElement(I18nextProvider, { i18n: bundledWords('fra') }, page)))
  return () => [...place.querySelectorAll('output')].map(({ textContent }) => textContent)
}

test('V4-38 the countdown to the next asset is announced once, when it begins', async () => {
  const nextAsset = { ...next(true), title: 'Encre' }
  const { actor, clock, reading } = await playing({ opened: { nextAsset } })
  const said = await show(actor)
  expect(said()).toEqual(['Lecture', ''])
  reading.position = 97
  await act(async () => clock.increment(POLL))
  const announced = ['Lecture', 'À suivre dans 3 secondes : Encre']
  expect(said()).toEqual(announced)
  await act(async () => clock.increment(1000))
  expect(actor.getSnapshot().context.bingeSecondsLeft).toBe(2)
  expect(said()).toEqual(announced)
})

test('V4-39 a next asset that is not included in the offers is announced when it is offered', async () => {
  const nextAsset = { ...next(false), title: 'Encre' }
  const { actor, clock, reading } = await playing({ opened: { nextAsset } })
  const said = await show(actor)
  reading.position = 97
  await act(async () => clock.increment(POLL))
  expect(said()).toEqual(['Lecture', 'À suivre : Encre'])
  await act(async () => actor.send({ type: 'binge.dismiss' }))
  expect(said()).toEqual(['Lecture', ''])
})
