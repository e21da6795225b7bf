// @vitest-environment happy-dom
import { act, createElement, useEffect, useRef } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Fullscreen, useFullscreen } from './use-fullscreen.ts'

let root: Root
let shown: Fullscreen
const request = vi.fn(async () => {})
const exit = vi.fn(async () => {})

const main = Object.assign(document.createElement('main'), { requestFullscreen: request })

function Player() {
  const fullscreen = useFullscreen(useRef<HTMLElement>(main))
  useEffect(() => {
    shown = fullscreen
  })
  return null
}

/** Shows the player in a browser whose document has these fields. */
async function show(fields: { fullscreenEnabled?: boolean; fullscreenElement?: Element | null }) {
  for (const name of ['fullscreenEnabled', 'fullscreenElement'] as const)
    Object.defineProperty(document, name, { configurable: true, value: fields[name] })
  document.exitFullscreen = exit
  await act(async () => root.render(createElement(Player)))
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.createElement('div'))
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
  vi.clearAllMocks()
  for (const name of ['fullscreenEnabled', 'fullscreenElement', 'exitFullscreen'])
    Reflect.deleteProperty(document, name)
})

test('V4-35 V4-36 on an iPhone, which has no full screen for pages, the player is outside fullscreen and a double tap does nothing', async () => {
  await show({})
  expect(shown).toMatchObject({ supported: false, active: false })
  shown.toggle()
  expect([request, exit].map((each) => each.mock.calls.length)).toEqual([0, 0])
})

test.each([
  ['opens', null, [1, 0]],
  ['closes', document.body, [0, 1]],
] as const)('V4-36 full screen %s', async (_, fullscreenElement, calls) => {
  await show({ fullscreenEnabled: true, fullscreenElement })
  expect(shown).toMatchObject({ supported: true, active: fullscreenElement !== null })
  shown.toggle()
  expect([request, exit].map((each) => each.mock.calls.length)).toEqual(calls)
})
