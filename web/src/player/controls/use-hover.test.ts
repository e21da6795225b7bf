// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlayerActor } from '../machine/player-machine.ts'
import { useHover } from './use-hover.ts'

beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true))
afterEach(() => void vi.unstubAllGlobals())

test('V4-34 controls that are removed under the pointer are not hovered any more', async () => {
  const sent: string[] = []
  // The hook only sends events.
  const actor = { send: ({ type }: { type: string }) => void sent.push(type) } as PlayerActor
  const Controls = ({ isShown }: { isShown: boolean }) => {
    const hover = useHover(actor)
    return isShown ? createElement('section', hover) : null
  }
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const show = async (isShown: boolean) =>
    await act(async () => root.render(createElement(Controls, { isShown })))
  const point = async (type: 'pointerover' | 'pointerout', pointerType: 'mouse' | 'touch') =>
    await act(async () => {
      place.querySelector('section')?.dispatchEvent(new PointerEvent(type, { pointerType, bubbles: true }))
    })
  await show(true)
  await point('pointerover', 'touch')
  expect(sent).toEqual([])
  await point('pointerover', 'mouse')
  await show(true)
  expect(sent).toEqual(['hover'])
  await show(false)
  expect(sent).toEqual(['hover', 'unhover'])
  await show(true)
  await point('pointerover', 'mouse')
  await point('pointerout', 'mouse')
  await act(async () => root.unmount())
  expect(sent).toEqual(['hover', 'unhover', 'hover', 'unhover'])
  place.remove()
})
