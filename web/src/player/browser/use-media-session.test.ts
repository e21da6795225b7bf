// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlayerActor } from '../machine/player-machine.ts'
import { playing } from '../machine/test-player.ts'
import { useMediaSession } from './use-media-session.ts'

let root: Root | undefined
let handlers: Map<MediaSessionAction, MediaSessionActionHandler | null>
let session: Pick<MediaSession, 'playbackState' | 'setActionHandler'>

function MediaKeys({ actor }: { actor: PlayerActor }) {
  useMediaSession(actor)
  return null
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('MediaMetadata', vi.fn())
  handlers = new Map()
  session = {
    playbackState: 'none',
    setActionHandler: (action, handler) => void handlers.set(action, handler),
  }
  vi.stubGlobal('navigator', { mediaSession: session })
})
afterEach(async () => {
  await close()
  vi.unstubAllGlobals()
})

async function show() {
  const player = await playing()
  root = createRoot(document.createElement('div'))
  await act(async () => root?.render(createElement(MediaKeys, { actor: player.actor })))
  const press = (key: 'play' | 'pause') => act(async () => handlers.get(key)?.({ action: key }))
  return { press, ...player }
}

async function close(): Promise<void> {
  await act(async () => root?.unmount())
  root = undefined
}

test('V4-28 a media key to pause does not resume, and one to play does not pause', async () => {
  const { press, actor } = await show()
  const playback = () => actor.getSnapshot().value.playback
  await press('play')
  expect(playback()).toBe('playing')
  await press('pause')
  await press('pause')
  expect(playback()).toBe('paused')
  await press('play')
  expect(playback()).toBe('playing')
})

test('V4-28 the system shows whether the content plays, until the player closes', async () => {
  const { press, actor } = await show()
  expect(session.playbackState).toBe('playing')
  await act(async () => actor.send({ type: 'engine.waiting' }))
  expect(session.playbackState).toBe('playing')
  await press('pause')
  expect(session.playbackState).toBe('paused')
  await act(async () => actor.send({ type: 'cast.connected' }))
  expect(session.playbackState).toBe('none')
  await act(async () => actor.send({ type: 'cast.disconnected', position: 42, followsLive: false }))
  expect(session.playbackState).toBe('playing')
  await close()
  expect(session.playbackState).toBe('none')
})
