// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { modal } from '../../modals/modal.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { channel, POLL, playing } from '../machine/test-player.ts'
import { useKeys } from './use-keys.ts'

const LIVE = { ...channel, timeshift: true }

let root: Root | undefined
const zap = vi.fn<(step: 1 | -1) => void>()
const toggle = vi.fn<() => void>()
const toggleShortcuts = vi.fn<() => void>()

function Keys({ actor }: { actor: PlayerActor }) {
  useKeys(actor, {
    fullscreen: { active: false, available: true, toggle } as never,
    zap,
    marks: [],
    panelOpen: false,
    closePanel: () => {},
    toggleShortcuts,
    record: () => {},
  })
  return null
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})
afterEach(async () => {
  await act(async () => root?.unmount())
  modal.dismiss()
  document.body.replaceChildren()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

/** Shows the player of a channel. Returns the player and what its keys have done. */
async function show() {
  const player = await playing({ playable: LIVE })
  player.reading.position = 50
  player.clock.increment(POLL)
  player.done.splice(0)
  root = createRoot(document.createElement('div'))
  await act(async () => root?.render(createElement(Keys, { actor: player.actor })))
  const effects = () => [
    ...player.done,
    ...player.left.map(({ kind }) => kind),
    ...zap.mock.calls.map(([step]) => `zap ${step}`),
    ...toggle.mock.calls.map(() => 'fullscreen'),
    ...toggleShortcuts.mock.calls.map(() => 'shortcuts'),
    ...(player.actor.getSnapshot().context.muted ? ['muted'] : []),
  ]
  return { effects, ...player }
}

function press(key: string, target: EventTarget = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  target.dispatchEvent(event)
  return event
}

function field(tag: 'input' | 'textarea', type?: string): HTMLElement {
  const element = document.createElement(tag)
  if (type !== undefined) element.setAttribute('type', type)
  document.body.append(element)
  return element
}

test('V4-59 while a modal is open, its keys have no effect on the player behind it', async () => {
  const { effects, actor, clock } = await show()
  clock.increment(10_000)
  void modal.open('alert', { title: '' })
  for (const key of ['PageDown', 'ArrowLeft', 'm', 'f', '?', ' ', 'Escape'])
    expect(press(key).defaultPrevented, key).toBe(false)
  expect(effects()).toEqual([])
  expect(actor.getSnapshot().matches({ controls: 'hidden' })).toBe(true)
  modal.dismiss()
  for (const key of ['PageDown', 'ArrowLeft', 'm', 'f', '?']) press(key)
  expect(effects()).toEqual(['seek 40', 'zap 1', 'fullscreen', 'shortcuts', 'muted'])
})

test('V4-59 Escape that closes a modal does not close the player too', async () => {
  const close = () => modal.dismiss()
  // The listener of the modals is older than the player.
  addEventListener('keydown', close)
  try {
    const { effects } = await show()
    void modal.open('alert', { title: '' })
    press('Escape')
    expect([modal.current(), effects()]).toEqual([null, []])
    press('Escape')
    expect(effects()).toEqual(['close'])
  } finally {
    removeEventListener('keydown', close)
  }
})

test.each([
  ['input', undefined],
  ['input', 'search'],
  ['input', 'password'],
  ['textarea', undefined],
] as const)('V4-59 a text field keeps its keys, except Escape: %s %s', async (tag, type) => {
  const { effects } = await show()
  const target = field(tag, type)
  for (const key of ['m', 'f', '?', ' ', 'ArrowLeft', 'ArrowUp', 'PageDown'])
    expect(press(key, target).defaultPrevented, key).toBe(false)
  expect(effects()).toEqual([])
  press('Escape', target)
  expect(effects()).toEqual(['close'])
})

test('V4-59 on a slider, arrows and letters still belong to the player', async () => {
  const { effects } = await show()
  const target = field('input', 'range')
  for (const key of ['ArrowLeft', 'm']) press(key, target)
  expect(effects()).toEqual(['seek 40', 'muted'])
})
