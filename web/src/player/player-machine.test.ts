import { PLAYER } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import { expect, test } from 'vitest'
import { createActor, SimulatedClock, waitFor } from 'xstate'
import { ApiError } from '../api/api-error.ts'
import type { EndTarget } from './end-target.ts'
import { type Engine, NOTHING_READ, type Reading, type Stream } from './engine.ts'
import type { Opened, Playable } from './playable.ts'
import type { PlayerParts } from './player-context.ts'
import { playerMachine } from './player-machine.ts'
import type { PlayerEvent } from './reporter.ts'
import { NO_SEGMENTS } from './segments.ts'
import { episode, programmeFrom } from './test-content.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const POLL = PLAYER.progressPollMs

const film: Playable = {
  kind: 'asset',
  id: 12,
  title: 'La ligne de grain',
  description: '',
  backgroundImage: null,
  detailRoute: '/content/x-12',
  live: false,
  isSerie: true,
  serieId: 40,
  seriesRoute: '/series/s-40/details',
  metadatas: {},
  isIncludedInUserOffers: true,
  medias: [],
  timeshift: true,
  endsAt: null,
}
const channel: Playable = { ...film, kind: 'channel', id: 1, live: true, isSerie: false, timeshift: false }

function next(isIncludedInUserOffers: boolean): Asset {
  return { ...episode, idAsset: 13, isIncludedInUserOffers }
}

interface Setup {
  playable?: Playable
  opened?: Partial<Opened>
  open?: PlayerParts['open']
  autoplay?: boolean
  parts?: Partial<PlayerParts>
}

/** A player on a clock that the test moves, with an engine that does as it is told. */
function start({ playable = film, opened = {}, open, autoplay = true, parts = {} }: Setup = {}) {
  const clock = new SimulatedClock()
  const reading: Reading = { ...NOTHING_READ, duration: 100, range: { start: 0, end: 100 }, edge: 100 }
  const done: string[] = []
  const events: PlayerEvent[] = []
  const left: EndTarget[] = []
  const loaded: Stream[] = []
  const heard = { percent: 100, muted: false }
  const hear = (change: Partial<typeof heard>) => {
    Object.assign(heard, change)
    actor.send({ type: 'engine.volume', ...heard })
  }
  const engine: Engine = {
    prepare: () => {},
    load: async (stream) => void loaded.push(stream),
    play: async () => {
      done.push('play')
      if (autoplay) actor.send({ type: 'engine.playing' })
      return autoplay
    },
    pause: () => {
      done.push('pause')
      actor.send({ type: 'engine.paused' })
    },
    seek: (position) => {
      done.push(`seek ${position}`)
      reading.position = position
    },
    read: () => ({ ...reading }),
    setVolume: (percent) => hear({ percent }),
    setMuted: (muted) => hear({ muted }),
    setSpeed: (speed) => void done.push(`speed ${speed}`),
    chooseAudio: (trackId) => void done.push(`audio ${trackId}`),
    chooseSubtitles: (trackId) => void done.push(`subtitles ${trackId}`),
    chooseQuality: (lines) => void done.push(`quality ${lines}`),
    thumbnail: async () => null,
    listen: () => () => {},
    destroy: () => {},
  }
  const answer: Opened = {
    playable,
    streamUrl: '/play/t/manifest.mpd',
    licenseData: null,
    assetStartTime: null,
    segments: NO_SEGMENTS,
    selectedMedia: { audio: 'fra', sub: 'non' },
    nextAsset: null,
    related: [],
    isTrailer: false,
    session: 'abc',
    ...opened,
  }
  const target = { kind: playable.kind, id: playable.id }
  const actor = createActor(playerMachine, {
    clock,
    input: {
      target,
      volumePercent: 100,
      parts: {
        engine,
        open: open ?? (async () => ({ kind: 'opened', opened: answer })),
        programmes: async () => [],
        reporter: { about: () => {}, report: (event) => void events.push(event) },
        now: () => NOW + clock.now(),
        signIn: () => void done.push('signIn'),
        go: (to) => void left.push(to),
        keepLanguages: ({ audio, sub }) => void done.push(`keep ${audio}/${sub}`),
        from: () => '/content/x-12',
        binge: true,
        bingeSeconds: 15,
        controlsHideMs: PLAYER.controlsHideMs,
        ...parts,
      },
    },
  })
  actor.start()
  return { actor, clock, reading, done, events, left, loaded, engine }
}

async function playing(setup: Setup = {}) {
  const player = start(setup)
  await waitFor(player.actor, (state) => state.matches({ playback: 'playing' }))
  return player
}

test('V4-28 not ready, then ready with the tracks loaded, then playing by itself', async () => {
  const seen: string[] = []
  const { actor, loaded } = start()
  actor.subscribe(({ value }) => void seen.push(JSON.stringify(value.playback)))
  expect(actor.getSnapshot().value.playback).toEqual({ notReady: 'opening' })
  expect(actor.getSnapshot().context.loading).toBe(true)
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(seen).toContain('{"notReady":"loading"}')
  expect(seen).toContain('"ready"')
  expect(loaded).toHaveLength(1)
  expect(actor.getSnapshot().context).toMatchObject({
    loading: false,
    streamUrl: '/play/t/manifest.mpd',
    isTrailer: false,
  })
})

test('V4-28 where the browser refuses to begin by itself it waits, paused', async () => {
  const { actor } = start({ autoplay: false })
  await waitFor(actor, (state) => state.matches({ playback: 'paused' }))
})

test('V4-28 buffering comes and goes, and the end is the end', async () => {
  const { actor, events, left } = await playing()
  actor.send({ type: 'engine.waiting' })
  expect(actor.getSnapshot().value.playback).toBe('buffering')
  actor.send({ type: 'engine.playing' })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  actor.send({ type: 'engine.ended' })
  expect(actor.getSnapshot().value.playback).toBe('ended')
  expect(events.at(-1)?.type).toBe('end')
  expect(left).toEqual([{ kind: 'page', path: '/series/s-40/details' }])
})

test('V4-29 start, pause and resume with their positions, progress each 200 ms while it plays', async () => {
  const { actor, clock, reading, events } = await playing()
  reading.position = 1
  clock.increment(POLL)
  reading.position = 1.2
  clock.increment(POLL)
  actor.send({ type: 'togglePlay' })
  clock.increment(POLL * 5)
  actor.send({ type: 'togglePlay' })
  expect(events).toEqual([
    { type: 'start' },
    { type: 'progress', position: 1 },
    { type: 'progress', position: 1.2 },
    { type: 'pause', position: 1.2 },
    { type: 'resume', position: 1.2 },
  ])
})

test('two presses in a row change nothing, however slow the element is to say so', async () => {
  const { actor, engine, events } = await playing()
  engine.pause = () => {}
  engine.play = async () => true
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'engine.playing' })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'togglePlay' })
  expect(actor.getSnapshot().value.playback).toBe('paused')
  expect(events.map(({ type }) => type)).toEqual(['start', 'pause', 'resume', 'pause', 'resume', 'pause'])
})

test('V4-17 a visitor leaves for the sign-in, and loading is cleared', async () => {
  const { actor, done, loaded } = start({ open: async () => ({ kind: 'signIn' }) })
  await waitFor(actor, (state) => !state.context.loading)
  expect(done).toEqual(['signIn'])
  expect(loaded).toEqual([])
})

test('V8-02 a refused opening shows why, loading is off, and another try may succeed', async () => {
  let tries = 0
  const { actor } = start({
    open: () => {
      tries += 1
      return Promise.reject(new ApiError({ ...ERRORS.tooManySessions, message: '' }))
    },
  })
  await waitFor(actor, (state) => state.matches({ playback: 'error' }))
  expect(actor.getSnapshot().context).toMatchObject({ loading: false, error: { code: '440', next: 'retry' } })
  actor.send({ type: 'retry' })
  await waitFor(actor, (state) => state.matches({ playback: 'error' }))
  expect(tries).toBe(2)
})

test('a film that failed in the middle is opened again where it stopped', async () => {
  const { actor, clock, reading } = await playing()
  reading.position = 47
  clock.increment(POLL)
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
  })
  expect(actor.getSnapshot().value.playback).toBe('error')
  actor.send({ type: 'retry' })
  expect(actor.getSnapshot().context.target).toMatchObject({ start: 47 })
})

test('a session that is refused while it plays stops it', async () => {
  const { actor, done } = await playing()
  actor.send({
    type: 'refused',
    error: { kind: 'refused', code: '440', next: 'retry', refusal: 'tooManySessions' },
  })
  expect(actor.getSnapshot().value.playback).toBe('error')
  expect(done).toContain('pause')
})

test('V4-31 a pending live start that lies in the window causes exactly one seek', async () => {
  const live = { ...channel, timeshift: true }
  const { clock, done, loaded } = await playing({ playable: live, opened: { assetStartTime: 40 } })
  clock.increment(POLL * 4)
  expect(done.filter((action) => action.startsWith('seek'))).toEqual(['seek 40'])
  expect(loaded[0]?.startAt).toBeNull()
  const outside = await playing({ playable: live, opened: { assetStartTime: 400 } })
  expect(outside.done.filter((action) => action.startsWith('seek'))).toEqual([])
})

test('V4-34 controls disappear after 1600 ms without activity', async () => {
  const { actor, clock } = await playing()
  clock.increment(1599)
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  clock.increment(1)
  expect(actor.getSnapshot().matches({ controls: 'hidden' })).toBe(true)
  actor.send({ type: 'activity' })
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  clock.increment(1000)
  actor.send({ type: 'activity' })
  clock.increment(1599)
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
})

test('V4-34 hovered controls stay, and disappear 300 ms after the pointer has left', async () => {
  const { actor, clock } = await playing()
  actor.send({ type: 'hover' })
  actor.send({ type: 'activity' })
  clock.increment(10_000)
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  actor.send({ type: 'unhover' })
  clock.increment(299)
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  clock.increment(1)
  expect(actor.getSnapshot().matches({ controls: 'hidden' })).toBe(true)
})

test('V4-34 controls stay while paused and while a menu is open, and a configured time takes the place of 1600 ms', async () => {
  const { actor, clock } = await playing()
  actor.send({ type: 'togglePlay' })
  clock.increment(60_000)
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'panel', open: true })
  clock.increment(60_000)
  expect(actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  actor.send({ type: 'panel', open: false })
  clock.increment(1600)
  expect(actor.getSnapshot().matches({ controls: 'hidden' })).toBe(true)
  const slow = await playing({ parts: { controlsHideMs: 5000 } })
  slow.clock.increment(4999)
  expect(slow.actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  slow.clock.increment(1)
  expect(slow.actor.getSnapshot().matches({ controls: 'hidden' })).toBe(true)
})

test('V4-35 the suggestions pause playback, and closing them goes on', async () => {
  const related = [{ type: 'asset' as const, payload: next(true) }]
  const { actor } = await playing({ opened: { related } })
  actor.send({ type: 'suggestions.open' })
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'paused', suggestions: 'open' })
  actor.send({ type: 'suggestions.close' })
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'playing', suggestions: 'closed' })
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'suggestions.open' })
  actor.send({ type: 'suggestions.close' })
  expect(actor.getSnapshot().value.playback).toBe('paused')
})

test('V4-35 without suggestions there is no panel to open', async () => {
  const { actor } = await playing()
  actor.send({ type: 'suggestions.open' })
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'playing', suggestions: 'closed' })
})

test('V4-38 the next asset is counted down to by the second, then plays; a pause holds the countdown', async () => {
  const { actor, clock, reading, left } = await playing({ opened: { nextAsset: next(true) } })
  reading.position = 97
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'counting' })).toBe(true)
  expect(actor.getSnapshot().context.bingeSecondsLeft).toBe(3)
  clock.increment(1000)
  expect(actor.getSnapshot().context.bingeSecondsLeft).toBe(2)
  actor.send({ type: 'togglePlay' })
  clock.increment(5000)
  expect(actor.getSnapshot().context.bingeSecondsLeft).toBe(2)
  actor.send({ type: 'togglePlay' })
  clock.increment(1000)
  expect(left).toEqual([])
  clock.increment(1000)
  expect(left).toEqual([{ kind: 'next' }])
})

test('V4-38 a dismissal holds until the next ready state', async () => {
  const { actor, clock, reading, left } = await playing({ opened: { nextAsset: next(true) } })
  reading.position = 95
  clock.increment(POLL)
  actor.send({ type: 'binge.dismiss' })
  clock.increment(POLL * 20)
  expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
  actor.send({ type: 'engine.ended' })
  expect(left).toEqual([{ kind: 'page', path: '/series/s-40/details' }])
  actor.send({ type: 'open', target: { kind: 'asset', id: 13 } })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'counting' })).toBe(true)
})

test('V4-39 a next asset that the offers do not include is never played by itself', async () => {
  const { actor, clock, reading, left } = await playing({ opened: { nextAsset: next(false) } })
  reading.position = 95
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'rental' })).toBe(true)
  clock.increment(60_000)
  expect(left).toEqual([])
  actor.send({ type: 'engine.ended' })
  expect(left).toEqual([{ kind: 'page', path: '/series/s-40/details' }])
})

test('V4-37 going back takes the offer away again', async () => {
  const { actor, clock, reading } = await playing({ opened: { nextAsset: next(true) } })
  reading.position = 95
  clock.increment(POLL)
  actor.send({ type: 'seekTo', position: 20 })
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
})

test('V4-41 the skip button leads to the end of the intro', async () => {
  const segments = { ...NO_SEGMENTS, intro: [{ label: '', start: 5, end: 20 }] }
  const { actor, clock, reading, done } = await playing({ opened: { segments } })
  reading.position = 7
  clock.increment(POLL)
  actor.send({ type: 'skip' })
  expect(done.at(-1)).toBe('seek 20')
})

test('V9-01 steps of 10 s add up at once and stay inside', async () => {
  const { actor, clock, reading, done } = await playing()
  reading.position = 5
  clock.increment(POLL)
  actor.send({ type: 'seekBy', seconds: 10 })
  actor.send({ type: 'seekBy', seconds: 10 })
  actor.send({ type: 'seekBy', seconds: -10 })
  actor.send({ type: 'seekTo', position: 400 })
  actor.send({ type: 'seekTo', position: -7 })
  expect(done.filter((action) => action.startsWith('seek'))).toEqual([
    'seek 15',
    'seek 25',
    'seek 15',
    'seek 100',
    'seek 0',
  ])
})

test('V4-59 live without timeshift neither pauses nor seeks', async () => {
  const { actor, done } = await playing({ playable: channel })
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'seekBy', seconds: -10 })
  actor.send({ type: 'startOver' })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  expect(done).toEqual(['play'])
})

test('V4-42 with timeshift one starts the programme over and goes back to live', async () => {
  const programme = programmeFrom(7, 1060, 1160)
  const { actor, clock, reading, done } = await playing({
    playable: { ...channel, timeshift: true },
    parts: { programmes: async () => [programme] },
  })
  reading.epoch = 1000
  reading.position = 99
  reading.edge = 97
  await waitFor(actor, (state) => state.context.programmes.length === 1)
  clock.increment(POLL)
  expect(actor.getSnapshot().context.liveEpgProgram?.title).toBe('Programme 7')
  actor.send({ type: 'startOver' })
  actor.send({ type: 'toLive' })
  expect(done.filter((action) => action.startsWith('seek'))).toEqual(['seek 60', 'seek 97'])
})

test('V4-44 a live event stops as soon as the time goes beyond its end', async () => {
  const { actor, clock, done } = await playing({ playable: { ...film, live: true, endsAt: NOW / 1000 + 1 } })
  clock.increment(1000)
  expect(actor.getSnapshot().value.playback).toBe('playing')
  clock.increment(POLL)
  expect(actor.getSnapshot().value.playback).toBe('ended')
  expect(done.at(-1)).toBe('pause')
})

test('V4-52 casting pauses here; disconnecting goes on from there; the end goes back to 0', async () => {
  const { actor, done } = await playing()
  actor.send({ type: 'cast.connected', device: 'Salon' })
  expect(actor.getSnapshot().value.playback).toBe('casting')
  expect(actor.getSnapshot().context.castDevice).toBe('Salon')
  actor.send({ type: 'cast.disconnected', position: 42 })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  expect(done.slice(-3)).toEqual(['pause', 'seek 42', 'play'])
  actor.send({ type: 'cast.connected', device: 'Salon' })
  actor.send({ type: 'cast.ended' })
  expect(done.at(-1)).toBe('seek 0')
  expect(actor.getSnapshot().value.playback).toBe('paused')
})

test('decision 21: a choice of languages is kept', async () => {
  const { actor, done } = await playing()
  actor.send({ type: 'chooseSubtitles', trackId: '4', language: 'fr' })
  actor.send({ type: 'chooseAudio', trackId: 'en', language: 'en' })
  actor.send({ type: 'chooseSubtitles', trackId: null, language: 'non' })
  expect(done.filter((action) => action.startsWith('keep'))).toEqual([
    'keep fra/fr',
    'keep en/fr',
    'keep en/non',
  ])
})

test('V9-01 the volume moves by steps within its bounds, and a step up from muted is heard', async () => {
  const { actor } = await playing()
  actor.send({ type: 'volumeBy', percent: 10 })
  expect(actor.getSnapshot().context.volumePercent).toBe(100)
  actor.send({ type: 'volumeBy', percent: -10 })
  expect(actor.getSnapshot().context.volumePercent).toBe(90)
  actor.send({ type: 'toggleMute' })
  actor.send({ type: 'volumeBy', percent: -10 })
  expect(actor.getSnapshot().context).toMatchObject({ volumePercent: 90, muted: true })
  actor.send({ type: 'volumeBy', percent: 10 })
  expect(actor.getSnapshot().context).toMatchObject({ volumePercent: 100, muted: false })
})

test('V9-01 what was turned down to nothing comes back at the default', async () => {
  const { actor } = await playing()
  actor.send({ type: 'setVolume', percent: 0 })
  expect(actor.getSnapshot().context).toMatchObject({ volumePercent: 0, muted: false })
  actor.send({ type: 'toggleMute' })
  expect(actor.getSnapshot().context).toMatchObject({ volumePercent: 100, muted: false })
})

test('another target resets the player and closes the session before', async () => {
  const { actor, events } = await playing()
  actor.send({ type: 'open', target: { kind: 'channel', id: 2 } })
  expect(events.at(-1)?.type).toBe('close')
  expect(actor.getSnapshot().context).toMatchObject({
    loading: true,
    playable: null,
    target: { kind: 'channel', id: 2 },
  })
})
