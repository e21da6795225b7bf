// @vitest-environment happy-dom
import { act, createElement, useEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlayerTarget } from '../content/playable.ts'
import { useContinuedTarget } from './use-continued-target.ts'

const CHANNEL: PlayerTarget = { kind: 'channel', id: 1 }

let root: Root
let shown: ReturnType<typeof useContinuedTarget>

function Shown({ target }: { target: PlayerTarget }) {
  const continued = useContinuedTarget(target)
  useEffect(() => {
    shown = continued
  })
  return null
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.createElement('div'))
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

/** Opens `target` in the same page, and returns what the player opens. */
async function open(target: PlayerTarget): Promise<PlayerTarget> {
  await act(async () => root.render(createElement(Shown, { target })))
  return shown.continued
}

test.each<[string, PlayerTarget]>([
  ['another channel', { kind: 'channel', id: 2 }],
  ['a film of the same number', { kind: 'asset', id: 1 }],
])('V4-52 the position of the screen applies until %s opens, and to no later visit', async (_, other) => {
  expect(await open(CHANNEL)).toEqual(CHANNEL)
  await act(async () => shown.leave(1070))
  const continued = { ...CHANNEL, start: 1070, continues: true }
  expect(shown.continued).toEqual(continued)
  expect(await open({ ...CHANNEL })).toEqual(continued)
  expect(await open(other)).toEqual(other)
  expect(await open(CHANNEL)).toEqual(CHANNEL)
})

test('V4-52 a later cast replaces the position of an earlier one', async () => {
  const film: PlayerTarget = { kind: 'asset', id: 12 }
  await open(film)
  await act(async () => shown.leave(600))
  await act(async () => shown.leave(900))
  expect(shown.continued).toEqual({ ...film, start: 900, continues: true })
  await act(async () => shown.leave(undefined))
  expect(shown.continued).toEqual(film)
})
