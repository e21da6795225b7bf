import { expect, test } from 'vitest'
import { waitFor } from 'xstate'
import { NO_SEGMENTS } from '../content/segments.ts'
import { episode } from '../content/test-content.ts'
import { next, POLL, playing, start } from './test-player.ts'

test('V4-34 controls hide after 1600 ms without activity', async () => {
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

test('V4-34 hovered controls stay, and hide 300 ms after the pointer leaves', async () => {
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

test('V4-34 hovered controls stay when playback goes on after a seek, and when a menu opens and closes', async () => {
  const { actor, clock } = await playing()
  const isShown = () => actor.getSnapshot().matches({ controls: 'shown' })
  actor.send({ type: 'hover' })
  actor.send({ type: 'engine.waiting' })
  actor.send({ type: 'engine.playing' })
  clock.increment(10_000)
  expect(isShown()).toBe(true)
  actor.send({ type: 'panel', open: true })
  expect(actor.getSnapshot().context.panelOpen).toBe(true)
  actor.send({ type: 'panel', open: false })
  clock.increment(10_000)
  expect(isShown()).toBe(true)
  // With the pointer on an open menu, beside the controls, they stay until the menu closes.
  actor.send({ type: 'panel', open: true })
  actor.send({ type: 'unhover' })
  clock.increment(10_000)
  expect(isShown()).toBe(true)
  actor.send({ type: 'panel', open: false })
  clock.increment(1600)
  expect(isShown()).toBe(false)
})

test('V4-34 controls stay while paused and while a menu is open, and a configured time replaces 1600 ms', async () => {
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
  const slow = await playing({ settings: { controlHideDelay: 5 } })
  slow.clock.increment(4999)
  expect(slow.actor.getSnapshot().matches({ controls: 'shown' })).toBe(true)
  slow.clock.increment(1)
  expect(slow.actor.getSnapshot().matches({ controls: 'hidden' })).toBe(true)
})

test('V4-35 opening the suggestions pauses playback, and closing them resumes it', async () => {
  const related = [{ type: 'asset' as const, payload: episode }]
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

test.each([
  ['buffers', true, 'buffering'],
  ['is about to begin', false, 'ready'],
])('V4-35 suggestions that open while playback %s do not leave it paused', async (_, begins, state) => {
  const related = [{ type: 'asset' as const, payload: episode }]
  const { actor, engine, done } = start({ opened: { related } })
  const { play } = engine
  engine.play = async () => (begins ? await play() : true)
  await waitFor(actor, ({ value }) => value.playback === (begins ? 'playing' : 'ready'))
  engine.play = play
  if (begins) actor.send({ type: 'engine.waiting' })
  expect(actor.getSnapshot().value.playback).toBe(state)
  actor.send({ type: 'suggestions.open' })
  expect(done.at(-1)).toBe('pause')
  actor.send({ type: 'suggestions.close' })
  expect(done.at(-1)).toBe('play')
  expect(actor.getSnapshot().value.playback).toBe('playing')
})

test('V4-35 without suggestions the panel does not open', async () => {
  const { actor } = await playing()
  actor.send({ type: 'suggestions.open' })
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'playing', suggestions: 'closed' })
})

test('V4-38 V4-52 while another screen plays the credits, this player neither offers nor plays the next asset', async () => {
  const { actor, clock, reading, left } = await playing({ opened: { nextAsset: next(true) } })
  reading.position = 97
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'counting' })).toBe(true)
  actor.send({ type: 'cast.connected' })
  clock.increment(60_000)
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'casting', binge: 'waiting' })
  expect(left).toEqual([])
  actor.send({ type: 'cast.disconnected', position: 98, followsLive: false, hasEnded: false })
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'counting' })).toBe(true)
})

const FAILED = {
  type: 'engine.failed',
  error: { kind: 'network', code: 'S1002', next: 'retry', refusal: null },
} as const
const REFUSED = {
  type: 'refused',
  error: { kind: 'refused', code: '440', next: 'retry', refusal: 'tooManySessions' },
  session: 'abc',
} as const

test.each([
  ['failure', 'begins', FAILED, 0],
  ['failure', 'goes on', FAILED, POLL],
  ['refusal', 'begins', REFUSED, 0],
  ['refusal', 'goes on', REFUSED, POLL],
])('V4-38 behind a %s, no countdown to the next asset %s', async (_, __, event, before) => {
  const opened = { nextAsset: next(true) }
  const { actor, clock, reading, left } = await playing({ opened, settings: { bingeTiming: 3 } })
  reading.position = 98
  // The player knows that it is in the credits before its next regular reading.
  actor.send({ type: 'engine.seeked' })
  clock.increment(before)
  expect(actor.getSnapshot().matches({ binge: 'counting' })).toBe(before > 0)
  actor.send(event)
  expect(actor.getSnapshot().value).toMatchObject({ playback: 'error', binge: 'waiting' })
  for (let second = 0; second < 10; second += 1) {
    clock.increment(1000)
    expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
  }
  expect(left).toEqual([])
  actor.send({ type: 'retry' })
  await waitFor(actor, (state) => state.matches({ playback: 'playing' }))
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'counting' })).toBe(true)
})

test('V4-38 counts down to the next asset each second, then plays it; a pause stops the countdown', async () => {
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

test('V4-38 a dismissal lasts until the next ready state', async () => {
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

test('V4-39 a next asset that is not included in the offers never plays automatically', async () => {
  const { actor, clock, reading, left } = await playing({ opened: { nextAsset: next(false) } })
  reading.position = 95
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'rental' })).toBe(true)
  clock.increment(60_000)
  expect(left).toEqual([])
  actor.send({ type: 'engine.ended' })
  expect(left).toEqual([{ kind: 'page', path: '/series/s-40/details' }])
})

test('V4-37 offers the next asset at the configured time before the end, or not at all', async () => {
  const settings = { bingeTiming: 30 }
  const { actor, clock, reading } = await playing({ opened: { nextAsset: next(true) }, settings })
  reading.position = 70
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
  reading.position = 70.2
  clock.increment(POLL)
  expect(actor.getSnapshot().context.bingeSecondsLeft).toBe(30)
  // If the operator disables binge during the countdown, the next reading ends the countdown.
  Object.assign(settings, { bingeEnabled: false })
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
})

test('V1-09 without binge no next asset is offered, the end leads to the series, and credits can be skipped', async () => {
  const segments = { ...NO_SEGMENTS, credits: [{ label: '', start: 90, end: 99 }] }
  const { actor, clock, reading, left, done } = await playing({
    opened: { nextAsset: next(true), segments },
    settings: { bingeEnabled: false },
  })
  reading.position = 95
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
  actor.send({ type: 'skip' })
  expect(done.at(-1)).toBe('seek 99')
  clock.increment(60_000)
  expect(left).toEqual([])
  actor.send({ type: 'engine.ended' })
  expect(left).toEqual([{ kind: 'page', path: '/series/s-40/details' }])
})

test('V4-37 seeking back removes the offer', async () => {
  const { actor, clock, reading } = await playing({ opened: { nextAsset: next(true) } })
  reading.position = 95
  clock.increment(POLL)
  actor.send({ type: 'seekTo', position: 20 })
  clock.increment(POLL)
  expect(actor.getSnapshot().matches({ binge: 'waiting' })).toBe(true)
})

test('V4-41 the skip button seeks to the end of the intro', async () => {
  const segments = { ...NO_SEGMENTS, intro: [{ label: '', start: 5, end: 20 }] }
  const { actor, clock, reading, done } = await playing({ opened: { segments } })
  reading.position = 7
  clock.increment(POLL)
  actor.send({ type: 'skip' })
  expect(done.at(-1)).toBe('seek 20')
})
