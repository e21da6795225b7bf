// @vitest-environment happy-dom
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ImageHeights } from '../../design/pictures/picture.tsx'
import type { Playable } from '../content/playable.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { channel, film, POLL, playing } from '../machine/test-player.ts'
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

async function show(playable: Playable = film) {
  const player = await playing({ playable })
  root = createRoot(document.createElement('div'))
  const keys = createElement(MediaKeys, { actor: player.actor })
  await act(async () => root?.render(createElement(ImageHeights, { value: [240, 444] }, keys)))
  const press = (key: MediaSessionAction) => act(async () => handlers.get(key)?.({ action: key }))
  return { press, ...player }
}

async function close(): Promise<void> {
  await act(async () => root?.unmount())
  root = undefined
}

test('V3-50 the system gets the artwork at a configured height', async () => {
  const backgroundImage = { url: '/images/a', width: 1600, height: 900, color: '#000000' }
  await show({ ...film, backgroundImage })
  expect(MediaMetadata).toHaveBeenLastCalledWith(
    expect.objectContaining({ artwork: [{ src: '/images/a/444' }] }),
  )
})

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
  await act(async () =>
    actor.send({ type: 'cast.disconnected', position: 42, followsLive: false, hasEnded: false }),
  )
  expect(session.playbackState).toBe('playing')
  await close()
  expect(session.playbackState).toBe('none')
})

const FORBIDDEN = ['pause', 'seekbackward', 'seekforward', 'seekto'] as const

test('V4-59 spec 17 media keys neither pause nor seek in live without timeshift, and the browser does not either', async () => {
  const { press, actor, done } = await show(channel)
  for (const key of FORBIDDEN) {
    expect(handlers.get(key)).toBeTypeOf('function')
    await press(key)
  }
  expect(actor.getSnapshot().value.playback).toBe('playing')
  expect(done).toEqual(['play'])
})

test('V4-33 media keys neither pause nor seek in an advertisement. After it, they do', async () => {
  const { press, actor, done, reading, clock } = await show()
  const ad = { duration: 20, skipAfter: null, clickUrl: null, report: 'r' }
  reading.ad = { number: 1, count: 1, position: 2, ad }
  await act(async () => clock.increment(POLL))
  for (const key of FORBIDDEN) await press(key)
  expect(done).not.toContain('pause')
  expect(handlers.get('seekto')).toBeTypeOf('function')
  reading.ad = undefined
  await act(async () => clock.increment(POLL))
  await press('pause')
  expect(actor.getSnapshot().value.playback).toBe('paused')
  expect(handlers.get('seekto')).toBeNull()
})
