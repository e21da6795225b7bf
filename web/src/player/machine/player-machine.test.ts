import type { Programme } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import { expect, test } from 'vitest'
import { waitFor } from 'xstate'
import { ApiError } from '../../api/api-error.ts'
import type { Playable } from '../content/playable.ts'
import { NO_SEGMENTS } from '../content/segments.ts'
import { programmeFrom } from '../content/test-content.ts'
import { NOTHING_READ } from '../engine/engine.ts'
import { EngineError, playerError } from '../engine/player-error.ts'
import { keySituation } from '../keyboard/keys.ts'
import type { PlayerParts } from './player-context.ts'
import { createReporter } from './reporter.ts'
import { channel, film, NOW, next, POLL, playing, start } from './test-player.ts'

test('V4-28 is not ready, then ready with the tracks loaded, then plays automatically', async () => {
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

test('V3-36 the state has the fields of the opened asset, and the chosen languages', async () => {
  const segment = (label: string, start: number, end: number) => ({ label, start, end })
  const segments = {
    intro: [segment('Intro', 5, 20)],
    credits: [segment('Credits', 90, 100)],
    chapters: [segment('Le départ', 0, 50), segment('Le retour', 50, 100)],
    other: [segment('Résumé', 0, 5)],
  }
  const opened = {
    assetStartTime: 40,
    licenseData: { keySystem: 'org.w3.clearkey', licenceUrl: '/licence/1' } as const,
    segments,
    selectedMedia: { audio: 'fra', sub: 'non' },
    nextAsset: next(true),
  }
  const { actor } = start({ opened })
  const stateOf = () => actor.getSnapshot().context
  expect(stateOf()).toMatchObject({
    playable: null,
    loading: true,
    assetStartTime: null,
    streamUrl: null,
    liveEpgProgram: null,
    licenseData: null,
    toSeek: null,
    segments: NO_SEGMENTS,
    selectedMedia: null,
    nextAsset: null,
    isTrailer: false,
  })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  const played = {
    ...opened,
    playable: film,
    loading: false,
    streamUrl: '/play/t/manifest.mpd',
    liveEpgProgram: null,
    toSeek: null,
    isTrailer: false,
  }
  expect(stateOf()).toMatchObject(played)
  actor.send({ type: 'chooseAudio', trackId: 'eng', language: 'eng', label: 'AD', addition: 'description' })
  actor.send({ type: 'chooseSubtitles', trackId: '3', language: 'fra' })
  const chosen = { audio: 'eng', audioLabel: 'AD', audioAddition: 'description', sub: 'fra' }
  expect(stateOf()).toMatchObject({ ...played, selectedMedia: chosen })
})

test('V3-36 the state of a channel has its pending start and its programme; the state of a trailer is marked', async () => {
  const { actor, clock, reading } = start({
    playable: { ...channel, timeshift: true },
    opened: { assetStartTime: 1070 },
    parts: { programmes: async () => [programmeFrom(7, 1060, 1160)] },
  })
  const opened = await waitFor(actor, (state) => state.matches({ playback: { notReady: 'loading' } }))
  expect(opened.context).toMatchObject({ assetStartTime: 1070, toSeek: 1070, liveEpgProgram: null })
  reading.epoch = 1000
  reading.position = 99
  await waitFor(actor, (state) => state.context.programmes.length === 1)
  clock.increment(POLL)
  expect(actor.getSnapshot().context).toMatchObject({
    playable: { kind: 'channel', id: 1, live: true },
    assetStartTime: 1070,
    toSeek: null,
    liveEpgProgram: { title: 'Programme 7', startutc: 1060, endutc: 1160 },
    nextAsset: null,
    isTrailer: false,
  })
  const trailer = await playing({ opened: { isTrailer: true, session: null } })
  expect(trailer.actor.getSnapshot().context.isTrailer).toBe(true)
})

test('V4-28 is paused where the browser blocks autoplay', async () => {
  const { actor } = start({ autoplay: false })
  await waitFor(actor, (state) => state.matches({ playback: 'paused' }))
})

test('V4-28 buffers and resumes, and ends', async () => {
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

test('V4-29 reports start, pause and resume with their positions, and progress each 200 ms during playback', async () => {
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

test('two quick presses cancel each other, even if the element reacts late', async () => {
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

test('V4-17 a visitor goes to the sign-in, and loading is cleared', async () => {
  const { actor, done, loaded } = start({ open: async () => ({ kind: 'signIn' }) })
  await waitFor(actor, (state) => !state.context.loading)
  expect(done).toEqual(['signIn'])
  expect(loaded).toEqual([])
})

test('V8-02 a refused opening shows the reason, clears loading, and can be retried', async () => {
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

test.each([
  ['refused', { open: new ApiError({ ...ERRORS.tooManySessions, message: '' }) }, '440'],
  ['one that cannot be loaded', { load: new EngineError('network', 'S1001') }, 'S1001'],
])(
  'V8-02 behind the error of a new channel, %s, the previous one does not play on',
  async (_, fails, code) => {
    const { actor, engine, done } = await playing({ playable: channel })
    const { parts } = actor.getSnapshot().context
    const { open } = parts
    parts.open = async (...opening) => await ('open' in fails ? Promise.reject(fails.open) : open(...opening))
    engine.load = async () => await ('load' in fails ? Promise.reject(fails.load) : undefined)
    actor.send({ type: 'open', target: { kind: 'channel', id: 2 } })
    await waitFor(actor, (state) => state.matches({ playback: 'error' }))
    expect(done.at(-1)).toBe('unload')
    expect(actor.getSnapshot().context.error).toMatchObject({ code })
  },
)

test('a film that failed in the middle reopens at its last position', async () => {
  const { actor, clock, reading } = await playing()
  reading.position = 47
  clock.increment(POLL)
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
  })
  expect(actor.getSnapshot().value.playback).toBe('error')
  actor.send({ type: 'retry' })
  expect(actor.getSnapshot().context.target).toMatchObject({ start: 47, continues: true })
})

test('V4-15 after a failure, the film continues in the languages that the viewer chose last', async () => {
  const { actor } = await playing()
  // The languages of the media chooser, which are in the address.
  actor.send({
    type: 'open',
    target: { kind: 'asset', id: 12, languages: { audio: 'fra', sub: 'non' } },
  })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  actor.send({ type: 'chooseAudio', trackId: 'eng', language: 'eng' })
  actor.send({ type: 'chooseSubtitles', trackId: '3', language: 'fra', captions: true })
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
  })
  actor.send({ type: 'retry' })
  expect(actor.getSnapshot().context.target).toMatchObject({
    languages: { audio: 'eng', sub: 'fra', captions: true },
  })
})

test('after a failure, the film continues at the chosen speed; the next film begins at the usual speed', async () => {
  const { actor, done, loaded } = await playing()
  actor.send({ type: 'setSpeed', speed: 2 })
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
  })
  done.splice(0)
  actor.send({ type: 'retry' })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(loaded).toHaveLength(2)
  expect(actor.getSnapshot().context.speed).toBe(2)
  expect(done).toEqual(['speed 2', 'play'])
  done.splice(0)
  actor.send({ type: 'open', target: { kind: 'asset', id: 13 } })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(loaded).toHaveLength(3)
  expect(actor.getSnapshot().context.speed).toBe(1)
  expect(done).toEqual(['play'])
})

test('after a failure, a channel begins at its live edge, at the usual speed', async () => {
  const { actor, done } = await playing({ playable: channel })
  actor.send({ type: 'setSpeed', speed: 2 })
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
  })
  done.splice(0)
  actor.send({ type: 'retry' })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect([actor.getSnapshot().context.speed, done]).toEqual([1, ['play']])
})

test.each([
  ['behind live returns to its place', true, false, 1070],
  ['at the live edge begins there again', true, true, undefined],
  ['without timeshift begins at its live edge', false, false, undefined],
])('after a failure, a channel that was %s', async (_, timeshift, followsLive, expected) => {
  const { actor, clock, reading } = await playing({ playable: { ...channel, timeshift } })
  Object.assign(reading, { epoch: 1000, position: followsLive ? 99 : 70, followsLive })
  clock.increment(POLL)
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
  })
  // The broadcast goes on while the viewer reads the error.
  Object.assign(reading, { range: { start: 60, end: 160 }, edge: 160, followsLive: false })
  clock.increment(POLL * 5)
  actor.send({ type: 'retry' })
  expect(actor.getSnapshot().context.target).toEqual({
    kind: 'channel',
    id: 1,
    start: expected,
    continues: true,
    languages: { audio: 'fra', sub: 'non' },
  })
})

test.each([
  ['has begun since its last position', -10, undefined],
  ['begins only later', 10, NOW / 1000 - 30],
])(
  'after a failure behind live, a channel of which a live-only programme %s',
  async (_, begins, expected) => {
    const now = NOW / 1000
    const { actor, clock, reading } = await playing({
      playable: { ...channel, timeshift: true },
      parts: {
        programmes: async () => [
          programmeFrom(7, now - 100, now + begins),
          { ...programmeFrom(8, now + begins, now + 100), timeshiftEnabled: false },
        ],
      },
    })
    Object.assign(reading, { epoch: now - 100, position: 70 })
    await waitFor(actor, (state) => state.context.programmes.length === 2)
    clock.increment(POLL)
    actor.send({
      type: 'engine.failed',
      error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
    })
    actor.send({ type: 'retry' })
    expect(actor.getSnapshot().context.target).toEqual({
      kind: 'channel',
      id: 1,
      start: expected,
      continues: true,
      languages: { audio: 'fra', sub: 'non' },
    })
  },
)

test('A8.1-07 a stream that fails because the account is suspended shows the reason that the service gives', async () => {
  const { actor, events } = await playing({ playable: channel })
  actor.send({
    type: 'engine.failed',
    error: { kind: 'network', code: 'S1001', next: 'retry', refusal: null },
  })
  expect(events.at(-1)?.type).toBe('pause')
  const suspended = playerError(new ApiError({ ...ERRORS.accountSuspended, message: '' }))
  actor.send({ type: 'refused', error: suspended, session: 'abc' })
  expect(actor.getSnapshot().context.error).toMatchObject({ code: '2409', next: 'back' })
})

const REFUSED = {
  type: 'refused',
  error: { kind: 'refused', code: '440', next: 'retry', refusal: 'tooManySessions' },
} as const

test('a session that is refused during playback stops it', async () => {
  const { actor, done } = await playing()
  actor.send({ ...REFUSED, session: 'abc' })
  expect(actor.getSnapshot().value.playback).toBe('error')
  expect(done).toContain('pause')
})

test('a late refusal of the previous session neither stops the new content nor shows the controls', async () => {
  const { actor, clock, done } = await playing({ opened: [{ session: 'abc' }, { session: 'def' }] })
  actor.send({ type: 'open', target: { kind: 'asset', id: 13 } })
  actor.send({ ...REFUSED, session: 'abc' })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  clock.increment(10_000)
  actor.send({ ...REFUSED, session: 'abc' })
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'playing', controls: 'hidden' })
  expect(actor.getSnapshot().context.error).toBeNull()
  expect(done).not.toContain('pause')
  actor.send({ ...REFUSED, session: 'def' })
  expect(actor.getSnapshot().value.playback).toBe('error')
})

test('while content opens again, a late refusal of its previous session does not stop the opening', async () => {
  const { actor, loaded } = await playing({ opened: [{ session: 'abc' }, { session: 'def' }] })
  actor.send({ type: 'expired', session: 'abc' })
  actor.send({ ...REFUSED, session: 'abc' })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(loaded).toHaveLength(2)
})

test('an expired session is replaced by a new one at the last position, once per session and only during playback', async () => {
  const { actor, clock, reading, loaded } = await playing()
  reading.position = 47
  clock.increment(POLL)
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'expired', session: 'abc' })
  expect(actor.getSnapshot().value.playback).toBe('paused')
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'expired', session: 'earlier' })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  actor.send({ type: 'expired', session: 'abc' })
  expect(actor.getSnapshot().context.target).toMatchObject({ start: 47 })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(loaded).toHaveLength(2)
})

test.each<[string, number, 'playing' | 'ended', number, string[]]>([
  ['became longer meanwhile goes on from its earlier end', 120, 'playing', 2, ['start', 'close', 'start']],
  ['has its announced length ends', 100, 'ended', 1, ['start', 'end']],
])(
  'A7.3-13 a recording that was played while it ran and %s',
  async (_, lengthSeconds, state, loads, expected) => {
    const { actor, reading, events, loaded } = await playing({
      playable: { ...film, kind: 'recording', id: 7 },
      opened: { lengthSeconds: 100 },
      parts: { lengthSeconds: async () => lengthSeconds },
    })
    reading.position = 100
    actor.send({ type: 'engine.ended' })
    await waitFor(actor, (now) => now.matches({ playback: state }))
    expect(loaded).toHaveLength(loads)
    expect(events.map(({ type }) => type)).toEqual(expected)
    const { target } = actor.getSnapshot().context
    expect('start' in target ? target.start : undefined).toBe(state === 'playing' ? 100 : undefined)
  },
)

test('A7.3-13 a recording that became longer and is now complete ends at its end', async () => {
  const { actor, loaded } = await playing({
    playable: { ...film, kind: 'recording', id: 7 },
    opened: [{ lengthSeconds: 100 }, {}],
    parts: { lengthSeconds: async () => 120 },
  })
  for (const state of ['playing', 'ended'] as const) {
    actor.send({ type: 'engine.ended' })
    await waitFor(actor, (now) => now.matches({ playback: state }))
  }
  expect(loaded).toHaveLength(2)
})

test('A7.3-13 a recording ends if its length cannot be read again', async () => {
  const { actor } = await playing({
    playable: { ...film, kind: 'recording', id: 7 },
    opened: { lengthSeconds: 100 },
    parts: { lengthSeconds: () => Promise.reject(new TypeError('Failed to fetch')) },
  })
  actor.send({ type: 'engine.ended' })
  await waitFor(actor, (now) => now.matches({ playback: 'ended' }))
  expect(actor.getSnapshot().context.error).toBeNull()
})

test('V4-31 a pending live start in the window causes exactly one seek', async () => {
  const live = { ...channel, timeshift: true }
  const { clock, done, loaded } = await playing({ playable: live, opened: { assetStartTime: 40 } })
  clock.increment(POLL * 4)
  expect(done.filter((action) => action.startsWith('seek'))).toEqual(['seek 40'])
  expect(loaded[0]?.startAt).toBeNull()
  const outside = await playing({ playable: live, opened: { assetStartTime: 400 } })
  expect(outside.done.filter((action) => action.startsWith('seek'))).toEqual([])
})

test('V4-31 the picture of the live edge stays covered until playback has reached the requested start', async () => {
  const live = { ...channel, timeshift: true }
  const { actor } = start({ playable: live, opened: { assetStartTime: 40 } })
  const covered = () => actor.getSnapshot().context.isOnTheWay
  await waitFor(actor, (state) => state.matches({ playback: { notReady: 'loading' } }))
  // The engine seeks to its own start first.
  actor.send({ type: 'engine.seeked' })
  expect(covered()).toBe(true)
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(covered()).toBe(true)
  actor.send({ type: 'engine.seeked' })
  expect(covered()).toBe(false)
  // A start outside the window leaves the viewer at the live edge, with its picture.
  const outside = await playing({ playable: live, opened: { assetStartTime: 400 } })
  expect(outside.actor.getSnapshot().context.isOnTheWay).toBe(false)
  expect((await playing({ playable: live })).actor.getSnapshot().context.isOnTheWay).toBe(false)
})

const FAILED = {
  type: 'engine.failed',
  error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
} as const

test('V4-31 a viewer who seeks before playback runs is not taken to the requested start', async () => {
  const live = { ...channel, timeshift: true }
  const { actor, done } = start({ playable: live, opened: { assetStartTime: 40 }, autoplay: false })
  await waitFor(actor, (state) => state.matches({ playback: 'paused' }))
  actor.send({ type: 'seekTo', position: 70 })
  expect(actor.getSnapshot().context.isOnTheWay).toBe(false)
  actor.send({ type: 'engine.playing' })
  expect(done.filter((action) => action.startsWith('seek'))).toEqual(['seek 70'])
})

test('V4-31 after a failure before playback runs, the requested start still holds', async () => {
  const live = { ...channel, timeshift: true }
  const { actor, reading } = start({ playable: live, opened: { assetStartTime: 1040 }, autoplay: false })
  actor.send({ type: 'open', target: { kind: 'channel', id: 1, start: 1040 } })
  Object.assign(reading, { epoch: 1000, position: 99, followsLive: true })
  await waitFor(actor, (state) => state.matches({ playback: 'paused' }))
  actor.send(FAILED)
  actor.send({ type: 'retry' })
  expect(actor.getSnapshot().context.target).toMatchObject({ kind: 'channel', id: 1, start: 1040 })
})

test('V4-28 what has been buffered does not play on behind an error', async () => {
  const { actor, done } = await playing()
  actor.send(FAILED)
  expect(done.at(-1)).toBe('pause')
  actor.send({ type: 'engine.paused' })
  expect(actor.getSnapshot().value.playback).toBe('error')
})

test('V4-29 the service hears of playback that waits for media, and can end its session', async () => {
  const { actor, clock, events } = await playing()
  actor.send({ type: 'engine.waiting' })
  events.splice(0)
  clock.increment(POLL)
  expect(events).toMatchObject([{ type: 'progress' }])
  actor.send({ type: 'expired', session: 'abc' })
  expect(actor.getSnapshot().context.session).toBeNull()
})

test('a seek of the previous content does not give its place to the next content', async () => {
  const { actor, reading } = await playing()
  actor.send({ type: 'open', target: { kind: 'asset', id: 13 } })
  reading.position = 55
  actor.send({ type: 'engine.seeked' })
  expect(actor.getSnapshot().context.reading).toBe(NOTHING_READ)
})

test('V9-01 steps of 10 s add up at once and stay within the range', async () => {
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

test('V9-01 seeks only once the engine knows its position, and from there', async () => {
  const live = { ...channel, timeshift: true }
  const { actor, engine, reading, done } = start({ playable: live, autoplay: false })
  const { read } = engine
  engine.read = () => NOTHING_READ
  await waitFor(actor, (state) => state.matches({ playback: 'paused' }))
  actor.send({ type: 'seekBy', seconds: -10 })
  engine.read = read
  reading.position = 90
  actor.send({ type: 'seekBy', seconds: -10 })
  expect(done.filter((action) => action.startsWith('seek'))).toEqual(['seek 80'])
})

test('V4-59 live without timeshift can neither pause nor seek', async () => {
  const { actor, done } = await playing({ playable: channel })
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'seekBy', seconds: -10 })
  actor.send({ type: 'startOver' })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  expect(done).toEqual(['play'])
})

test.each([
  ['without timeshift resumes at its live edge', false, ['seek 100']],
  ['with timeshift resumes where it was paused', true, []],
])('spec 17 a channel that the system has paused, and %s', async (_, timeshift, seeks) => {
  const { actor, reading, done } = await playing({ playable: { ...channel, timeshift } })
  const seeksDone = () => done.splice(0).filter((action) => action.startsWith('seek'))
  reading.position = 60
  actor.send({ type: 'engine.paused' })
  actor.send({ type: 'togglePlay' })
  expect(seeksDone()).toEqual(seeks)
  // The system can also resume by itself.
  reading.position = 60
  actor.send({ type: 'engine.paused' })
  actor.send({ type: 'engine.playing' })
  expect(seeksDone()).toEqual(seeks)
  expect(actor.getSnapshot().context.reading.position).toBe(timeshift ? 60 : 100)
})

test('V4-42 timeshift allows starting the programme over and going back to live', async () => {
  const programme = programmeFrom(7, 1060, 1160)
  const { actor, clock, reading, done } = await playing({
    playable: { ...channel, timeshift: true, startOver: true },
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

test('V4-42 in a programme that may only be watched live, nothing pauses, seeks or starts over', async () => {
  const programme = { ...programmeFrom(7, 1060, 1160), timeshiftEnabled: false }
  const { actor, clock, reading, done } = await playing({
    playable: { ...channel, timeshift: true, startOver: true },
    parts: { programmes: async () => [programme, programmeFrom(8, 1160, 1260)] },
  })
  reading.epoch = 1000
  reading.position = 99
  reading.edge = 99
  await waitFor(actor, (state) => state.context.programmes.length === 2)
  clock.increment(POLL)
  const before = done.length
  actor.send({ type: 'startOver' })
  actor.send({ type: 'seekBy', seconds: -10 })
  actor.send({ type: 'togglePlay' })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  expect(done.slice(before)).toEqual([])
  // The guide allows pausing and seeking in the next programme.
  reading.position = 165
  clock.increment(POLL)
  actor.send({ type: 'togglePlay' })
  expect(actor.getSnapshot().value.playback).toBe('paused')
})

test.each([true, false])('A7.3-09 keys record only if the channel allows it: %s', async (recordable) => {
  const programme = { ...programmeFrom(7, 1060, 1160), npvrEnabled: true }
  const { actor, clock, reading } = await playing({
    playable: { ...channel, recordable },
    parts: { programmes: async () => [programme] },
  })
  reading.epoch = 1000
  reading.position = 99
  await waitFor(actor, (state) => state.context.programmes.length === 1)
  clock.increment(POLL)
  const { context } = actor.getSnapshot()
  expect(context.liveEpgProgram?.title).toBe('Programme 7')
  expect(keySituation(context, { marks: false, paused: false }).recordable).toBe(recordable)
})

test('V3-36 a relayed channel without a wall clock has the programme of its position', async () => {
  const now = NOW / 1000
  const { actor, clock, reading } = await playing({
    playable: { ...channel, timeshift: true },
    parts: {
      programmes: async () => [programmeFrom(7, now - 90, now - 30), programmeFrom(8, now - 30, now + 90)],
    },
  })
  await waitFor(actor, (state) => state.context.programmes.length === 2)
  const titleAt = (position: number) => {
    Object.assign(reading, { epoch: null, edge: 100, position })
    clock.increment(POLL)
    return actor.getSnapshot().context.liveEpgProgram?.title
  }
  expect([titleAt(99), titleAt(40), titleAt(5)]).toEqual(['Programme 8', 'Programme 7', undefined])
})

/** Milliseconds after which a channel has surely fetched its guide again. */
const GUIDE_REFRESH = 1.5 * 3_600_000

/** Starts a channel whose guide answers with `answers`, in this order. Waits for the first answer. */
async function withGuide(...answers: (Programme[] | Error)[]) {
  const asked: number[] = []
  const player = await playing({
    playable: channel,
    parts: {
      programmes: async (id) => {
        asked.push(id)
        const answer = answers.shift()
        if (!Array.isArray(answer)) throw answer
        return answer
      },
    },
  })
  const settled = () => waitFor(player.actor, (state) => !state.matches({ guide: 'asking' }))
  await settled()
  const title = () => {
    player.clock.increment(POLL)
    return player.actor.getSnapshot().context.liveEpgProgram?.title
  }
  return { asked, settled, title, ...player }
}

const BEGIN = NOW / 1000
const AT_FIRST = [programmeFrom(7, BEGIN - 100, BEGIN + 3600)]
const LATER = [programmeFrom(8, BEGIN + 3600, BEGIN + 86_400)]

test('V8-03 a channel that stays open fetches its guide again, and shows the programme of the new list', async () => {
  const { asked, settled, title, clock } = await withGuide(AT_FIRST, LATER)
  expect(title()).toBe('Programme 7')
  clock.increment(3_599_000)
  expect(asked).toEqual([1])
  clock.increment(GUIDE_REFRESH)
  await settled()
  expect(asked).toEqual([1, 1])
  expect(title()).toBe('Programme 8')
})

test('V8-03 if the guide cannot be fetched again, the first list stays until a later attempt succeeds', async () => {
  const whole = [programmeFrom(7, BEGIN - 100, BEGIN + 86_400)]
  const { asked, settled, title, clock, actor } = await withGuide(
    whole,
    new TypeError('Failed to fetch'),
    LATER,
  )
  clock.increment(GUIDE_REFRESH)
  await settled()
  expect(asked).toHaveLength(2)
  expect(title()).toBe('Programme 7')
  expect(actor.getSnapshot().value.playback).toBe('playing')
  clock.increment(GUIDE_REFRESH)
  await settled()
  expect(asked).toHaveLength(3)
  expect(title()).toBe('Programme 8')
})

test('V8-03 a channel whose guide fails at first gets it at the next attempt, or when it plays again', async () => {
  const failure = new TypeError('Failed to fetch')
  const { asked, settled, title, clock, actor } = await withGuide(failure, failure, LATER)
  actor.send({ type: 'engine.waiting' })
  actor.send({ type: 'engine.playing' })
  await settled()
  expect(asked).toHaveLength(2)
  clock.increment(GUIDE_REFRESH)
  await settled()
  expect(title()).toBe('Programme 8')
})

test('V4-44 a live event stops as soon as its end has passed', async () => {
  const { actor, clock, done } = await playing({ playable: { ...film, endsAt: NOW / 1000 + 1 } })
  clock.increment(1000)
  expect(actor.getSnapshot().value.playback).toBe('playing')
  clock.increment(POLL)
  expect(actor.getSnapshot().value.playback).toBe('ended')
  expect(done.at(-1)).toBe('pause')
})

const event: Playable = { ...film, live: true, startOver: true, isSerie: false }

test.each<[string, number, 'playing' | 'ended', number]>([
  ['has its announced length ends', 100, 'ended', 1],
  ['overruns goes on at its live edge', 160, 'playing', 2],
])('19.3 V4-44 an event that a channel carries and that %s', async (_, seconds, state, loads) => {
  const { actor, clock, reading, loaded } = await playing({
    playable: event,
    opened: [
      { lengthSeconds: 100, playable: { ...event, endsAt: NOW / 1000 + 1 } },
      { lengthSeconds: 160, playable: { ...event, endsAt: NOW / 1000 + 61 } },
    ],
    parts: { lengthSeconds: async () => seconds },
  })
  Object.assign(reading, { epoch: NOW / 1000, followsLive: true, position: 98 })
  clock.increment(POLL)
  clock.increment(1000)
  await waitFor(actor, (now) => now.matches({ playback: state }))
  expect(loaded).toHaveLength(loads)
  const { target } = actor.getSnapshot().context
  expect('start' in target ? target.start : undefined).toBeUndefined()
})

test.each<[string, boolean, PlayerParts['mayPlay'], 'playing' | 'ended']>([
  ['who may watch it afterwards sees the rest', false, async () => true, 'playing'],
  [
    'who has only bought its time does not',
    false,
    async () => Promise.reject(new TypeError('refused')),
    'ended',
  ],
])(
  '19.3 V4-44 at the end of an event, a viewer behind its live edge %s',
  async (_, followsLive, mayPlay, state) => {
    const { actor, clock, reading, loaded } = await playing({
      playable: event,
      opened: [{ lengthSeconds: 100, playable: { ...event, endsAt: NOW / 1000 + 1 } }, { playable: film }],
      parts: { lengthSeconds: async () => 100, mayPlay },
    })
    Object.assign(reading, { epoch: NOW / 1000, followsLive, position: 40 })
    clock.increment(POLL)
    clock.increment(1000)
    await waitFor(actor, (now) => now.matches({ playback: state }))
    expect(loaded).toHaveLength(state === 'playing' ? 2 : 1)
    const { target } = actor.getSnapshot().context
    if (state === 'playing') expect(target).toMatchObject({ start: 40, continues: true })
  },
)

test('19.3 an event that overruns goes on where a viewer behind its live edge was, also after a pause', async () => {
  const { actor, clock, reading } = await playing({
    playable: event,
    opened: [
      { lengthSeconds: 100, playable: { ...event, endsAt: NOW / 1000 + 1 } },
      { lengthSeconds: 160, playable: { ...event, endsAt: NOW / 1000 + 61 } },
    ],
    parts: { lengthSeconds: async () => 160 },
  })
  Object.assign(reading, { epoch: NOW / 1000, position: 40 })
  clock.increment(POLL)
  actor.send({ type: 'togglePlay' })
  clock.increment(2000)
  // The stream has ended, so it has no clock of the wall any more.
  Object.assign(reading, { epoch: null })
  actor.send({ type: 'togglePlay' })
  actor.send({ type: 'engine.playing' })
  clock.increment(POLL)
  await waitFor(actor, ({ context }) => context.target.kind === 'asset' && context.target.start === 40)
})

test('19.3 an event starts over at its beginning, and returns to its live edge', async () => {
  const { actor, clock, reading, done } = await playing({ playable: event })
  Object.assign(reading, { epoch: 1000, position: 90, range: { start: 3, end: 96 }, edge: 95 })
  clock.increment(POLL)
  actor.send({ type: 'startOver' })
  expect(done.at(-1)).toBe('seek 3')
  actor.send({ type: 'toLive' })
  expect(done.slice(-2)).toEqual(['seek 95', 'play'])
})

test('19.3 V4-52 a cast event is not requested here, and is opened again at its place, from its beginning', async () => {
  const { actor, clock, reading, done } = await playing({ playable: event })
  Object.assign(reading, { epoch: 1000, position: 70 })
  clock.increment(POLL)
  actor.send({ type: 'cast.connected' })
  expect(done.at(-1)).toBe('unload')
  actor.send({ type: 'cast.disconnected', position: 80, followsLive: false, hasEnded: false })
  expect(actor.getSnapshot().context.target).toMatchObject({ kind: 'asset', id: 12, start: 80 })
})

test('V4-52 casting pauses here; disconnecting resumes from the other screen’s position; the end returns to 0', async () => {
  const { actor, done } = await playing()
  actor.send({ type: 'cast.connected' })
  expect(actor.getSnapshot().value.playback).toBe('casting')
  actor.send({ type: 'cast.disconnected', position: 42, followsLive: false, hasEnded: false })
  expect(actor.getSnapshot().value.playback).toBe('playing')
  expect(done.slice(-3)).toEqual(['pause', 'seek 42', 'play'])
  expect(done).not.toContain('unload')
  actor.send({ type: 'cast.connected' })
  actor.send({ type: 'cast.ended' })
  expect(done.at(-1)).toBe('seek 0')
  expect(actor.getSnapshot().value.playback).toBe('paused')
})

test.each([
  ['at its place', { position: 80, followsLive: false, hasEnded: false }, 1080],
  ['at the live edge', { position: 95, followsLive: true, hasEnded: false }, undefined],
])(
  'V4-52 a cast channel is not requested here while the screen plays; disconnecting opens it %s',
  async (_, screen, expected) => {
    const { actor, clock, reading, done, loaded } = await playing({
      playable: { ...channel, timeshift: true },
    })
    Object.assign(reading, { epoch: 1000, position: 70 })
    clock.increment(POLL)
    actor.send({ type: 'cast.connected' })
    expect(done.at(-1)).toBe('unload')
    clock.increment(POLL * 2)
    actor.send({ type: 'engine.seeked' })
    expect(actor.getSnapshot().context.reading).toMatchObject({ position: 70, epoch: 1000 })
    // The screen can reach the end of a channel. The channel stays unloaded until the viewer disconnects.
    actor.send({ type: 'cast.ended' })
    expect(actor.getSnapshot().value.playback).toBe('casting')
    actor.send({ type: 'cast.disconnected', ...screen })
    expect(actor.getSnapshot().context.target).toMatchObject({ kind: 'channel', id: 1, start: expected })
    await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
    expect(loaded).toHaveLength(2)
  },
)

test('V4-52 a film that fails here while the screen plays is opened again at the screen’s position', async () => {
  const { actor, events, loaded } = await playing()
  actor.send({ type: 'cast.connected' })
  const reported = events.length
  actor.send({
    type: 'engine.failed',
    error: { kind: 'media', code: 'S3016', next: 'retry', refusal: null },
  })
  expect(actor.getSnapshot().value.playback).toBe('casting')
  expect(events).toHaveLength(reported)
  actor.send({ type: 'cast.disconnected', position: 42, followsLive: false, hasEnded: false })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  expect(loaded).toHaveLength(2)
  expect(actor.getSnapshot().context.target).toMatchObject({ start: 42 })
  expect(actor.getSnapshot().context.error).toBeNull()
})

test('V4-52 a film that failed here, and has ended on the screen, is opened again at its beginning', async () => {
  const { actor } = await playing()
  actor.send({ type: 'open', target: { kind: 'asset', id: 12, start: 30 } })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  actor.send({ type: 'cast.connected' })
  actor.send({
    type: 'engine.failed',
    error: { kind: 'media', code: 'S3016', next: 'retry', refusal: null },
  })
  actor.send({ type: 'cast.ended' })
  actor.send({ type: 'cast.disconnected', position: 0, followsLive: false, hasEnded: true })
  expect(actor.getSnapshot().context.target).toMatchObject({ id: 12, start: 0 })
})

test('V4-52 a channel that has ended on the screen is opened again at its live edge', async () => {
  const { actor, clock, reading } = await playing({ playable: { ...channel, timeshift: true } })
  Object.assign(reading, { epoch: 1000, position: 70 })
  clock.increment(POLL)
  actor.send({ type: 'cast.connected' })
  actor.send({ type: 'cast.disconnected', position: -1000, followsLive: false, hasEnded: true })
  expect(actor.getSnapshot().context.target).toMatchObject({ kind: 'channel', id: 1, start: undefined })
})

test('V4-52 a film that fails after its end starts again at its beginning; one that played again, at its position', async () => {
  const { actor, clock, engine, reading } = await playing()
  const { load } = engine
  const failAndRetry = () => {
    actor.send({
      type: 'engine.failed',
      error: { kind: 'media', code: 'S3016', next: 'retry', refusal: null },
    })
    actor.send({ type: 'retry' })
    return actor.getSnapshot().context.target
  }
  reading.position = 100
  actor.send({ type: 'engine.ended' })
  engine.load = () => Promise.reject(new EngineError('network', 'S1001'))
  expect(failAndRetry()).toMatchObject({ start: 0 })
  await waitFor(actor, (state) => state.matches({ playback: 'error' }))
  engine.load = load
  actor.send({ type: 'retry' })
  expect(actor.getSnapshot().context.target).toMatchObject({ start: 0 })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  actor.send({ type: 'engine.ended' })
  actor.send({ type: 'togglePlay' })
  reading.position = 47
  clock.increment(POLL)
  expect(failAndRetry()).toMatchObject({ start: 47, continues: true })
})

test('spec 21: stores a chosen language, and nothing that was not chosen', async () => {
  const { actor, done } = await playing()
  actor.send({ type: 'chooseSubtitles', trackId: '4', language: 'fr' })
  actor.send({ type: 'chooseAudio', trackId: 'en', language: 'en' })
  actor.send({ type: 'chooseSubtitles', trackId: null, language: 'non' })
  expect(done.filter((action) => action.startsWith('keep'))).toEqual(['keep /fr', 'keep en/', 'keep /non'])
})

test('V9-01 the volume changes in steps within its limits, and a step up unmutes', async () => {
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

test('V9-01 a volume of zero returns to the default', async () => {
  const { actor } = await playing()
  actor.send({ type: 'setVolume', percent: 0 })
  expect(actor.getSnapshot().context).toMatchObject({ volumePercent: 0, muted: false })
  actor.send({ type: 'toggleMute' })
  expect(actor.getSnapshot().context).toMatchObject({ volumePercent: 100, muted: false })
})

test('A8.1-03 content that the viewer leaves before it has loaded gives its place of the stream limit back', async () => {
  const sent: unknown[] = []
  const reporter = createReporter(
    ({ event, session, position }) => sent.push([event, session, position]),
    () => {},
  )
  const { actor, engine, reading } = await playing({
    opened: [{ session: 'first' }, { session: 'loading' }, { session: 'failed' }],
    parts: { reporter },
  })
  reading.position = 47
  engine.load = () => new Promise(() => {})
  actor.send({ type: 'open', target: { kind: 'asset', id: 13 } })
  await waitFor(actor, (state) => state.matches({ playback: { notReady: 'loading' } }))
  engine.load = () => Promise.reject(new EngineError('network', 'S1001'))
  actor.send({ type: 'open', target: { kind: 'asset', id: 14 } })
  await waitFor(actor, (state) => state.matches({ playback: 'error' }))
  actor.send({ type: 'close' })
  expect(sent).toEqual([
    ['start', 'first', undefined],
    ['close', 'first', 47],
    ['close', 'loading', undefined],
    ['close', 'failed', undefined],
  ])
})

test('A8.1-03 an opening that fails, or that the viewer leaves, gives its place of the stream limit back once', async () => {
  const sent: string[] = []
  const reporter = createReporter(
    ({ event, session }) => sent.push(`${event} ${session}`),
    () => {},
  )
  const refusal = new ApiError({ ...ERRORS.tooManySessions, message: '' })
  const lateSessions: (() => void)[] = []
  const openings: PlayerParts['open'][] = [
    // The licence is refused.
    async (_, begun) => {
      begun('refused')
      throw refusal
    },
    // The stream is answered after another call was refused.
    async (_, begun) => {
      lateSessions.push(() => begun('after the refusal'))
      throw refusal
    },
    // The viewer leaves during the licence call.
    (_, begun) => {
      begun('left')
      return new Promise(() => {})
    },
    // The viewer leaves before the stream is answered.
    (_, begun) => {
      lateSessions.push(() => begun('late'))
      return new Promise(() => {})
    },
    (_, begun) => {
      begun('present')
      return new Promise(() => {})
    },
  ]
  const open: PlayerParts['open'] = async (...opening) =>
    (await openings.shift()?.(...opening)) ?? { kind: 'signIn' }
  const { actor } = start({ open, parts: { reporter } })
  const failed = () => waitFor(actor, (state) => state.matches({ playback: 'error' }))
  await failed()
  expect(sent.splice(0)).toEqual(['close refused'])
  actor.send({ type: 'retry' })
  await failed()
  lateSessions.shift()?.()
  expect(sent.splice(0)).toEqual(['close after the refusal'])
  for (const id of [13, 14, 15]) actor.send({ type: 'open', target: { kind: 'asset', id } })
  expect(sent.splice(0)).toEqual(['close left'])
  lateSessions.shift()?.()
  expect(sent.splice(0)).toEqual(['close late'])
  actor.send({ type: 'close' })
  expect(sent).toEqual(['close present'])
})

test('another target resets the player and closes the previous session', async () => {
  const { actor, events } = await playing()
  actor.send({ type: 'open', target: { kind: 'channel', id: 2 } })
  expect(events.at(-1)?.type).toBe('close')
  expect(actor.getSnapshot().context).toMatchObject({
    loading: true,
    playable: null,
    target: { kind: 'channel', id: 2 },
  })
})
