import { expect, test } from 'vitest'
import { waitFor } from 'xstate'
import { ApiError } from '../../api/api-error.ts'
import { programmeFrom } from '../content/test-content.ts'
import { NOTHING_READ } from '../engine/engine.ts'
import { playerError } from '../engine/player-error.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { channel, film, NOW, next, POLL, playing, start } from '../machine/test-player.ts'
import { eventOf, type PlayerCommand } from './carry-out.ts'
import { receiverState } from './receiver-state.ts'
import { isWorthReporting, newestOnly } from './report.ts'

/** Returns the state that a screen with this player reports. */
function stateOf(actor: PlayerActor) {
  return receiverState(actor.getSnapshot(), NOW, [240, 444, 900])
}

test('V4-51 V4-55 a screen reports what it plays, and where', async () => {
  const { actor } = await playing({ opened: { nextAsset: next(true) } })
  expect(stateOf(actor)).toMatchObject({
    content: { kind: 'asset', id: 12 },
    streamType: 'VOD_SERIES',
    title: 'La ligne de grain',
    playback: 'playing',
    duration: 100,
    canMove: true,
    isLive: false,
    chosenSubtitles: 'non',
    at: NOW,
  })
  actor.send({ type: 'togglePlay' })
  expect(stateOf(actor)?.playback).toBe('paused')
})

test('V3-50 a screen reports its artwork at a configured height', async () => {
  const backgroundImage = { url: '/images/a', width: 1600, height: 900, color: '#000000' }
  const { actor } = await playing({ playable: { ...film, backgroundImage } })
  expect(stateOf(actor)?.image).toBe('/images/a/900')
})

test('V4-52 until the content has loaded, and after a refusal, a screen reports where the content was to begin', async () => {
  let refuse: (error: unknown) => void = () => {}
  const { actor } = start({
    open: () =>
      new Promise((_, reject) => {
        refuse = reject
      }),
  })
  const reported = () => stateOf(actor)
  expect(reported()).toMatchObject({ playback: 'loading' })
  expect(reported()?.position).toBeUndefined()
  actor.send({ type: 'open', target: { kind: 'asset', id: 12, start: 600 } })
  expect(reported()).toMatchObject({ playback: 'loading', position: 600 })
  refuse(new ApiError({ code: -440, status: 403, message: '' }))
  await waitFor(actor, (state) => state.matches({ playback: 'error' }))
  expect(reported()).toMatchObject({ playback: 'failed', position: 600 })
})

test('19.3 V4-51 a screen counts the position of an event from its beginning, also before it plays', async () => {
  const playable = { ...film, live: true, startOver: true }
  const { actor } = start({ playable, opened: { assetStartTime: 1_790_000_600 }, autoplay: false })
  actor.send({ type: 'open', target: { kind: 'asset', id: 12, start: 600 } })
  await waitFor(actor, ({ context }) => context.assetStartTime !== null)
  expect(actor.getSnapshot().context.reading).toBe(NOTHING_READ)
  expect(stateOf(actor)?.position).toBe(600)
})

test('V4-52 while a screen tries again for the second time, it reports where the film stopped', async () => {
  const { actor, clock, reading } = await playing({ opened: { assetStartTime: 20 } })
  const { parts } = actor.getSnapshot().context
  reading.position = 47
  clock.increment(POLL)
  parts.open = async () => await Promise.reject(new ApiError({ code: -440, status: 403, message: '' }))
  actor.send({ type: 'expired', session: 'abc' })
  await waitFor(actor, (state) => state.matches({ playback: 'error' }))
  actor.send({ type: 'retry' })
  clock.increment(POLL)
  expect(stateOf(actor)).toMatchObject({ playback: 'loading', position: 47 })
})

test('V4-52 the end is reported, unless the next episode follows', async () => {
  const endOf = async (isIncluded: boolean) => {
    const { actor } = await playing({
      opened: { nextAsset: next(isIncluded) },
      settings: { bingeEnabled: true },
    })
    actor.send({ type: 'engine.ended' })
    expect(actor.getSnapshot().value.playback).toBe('ended')
    return stateOf(actor)?.playback
  }
  expect([await endOf(false), await endOf(true)]).toEqual(['ended', 'loading'])
})

test('V4-38 a screen reports its countdown to the next episode, which a phone dismisses', async () => {
  const { actor, reading, clock, left } = await playing({ opened: { nextAsset: next(true) } })
  const dismissal = () => eventOf({ type: 'dismissNext' }, actor.getSnapshot())
  expect(stateOf(actor)).not.toHaveProperty('isCountingDown')
  expect(dismissal()).toBeUndefined()
  reading.position = 97
  clock.increment(POLL)
  expect(stateOf(actor)).toMatchObject({ isCountingDown: true })
  const dismiss = dismissal()
  if (dismiss !== undefined) actor.send(dismiss)
  clock.increment(10_000)
  expect(stateOf(actor)).not.toHaveProperty('isCountingDown')
  expect(left).toEqual([])
  actor.send({ type: 'engine.ended' })
  expect(stateOf(actor)?.playback).toBe('ended')
})

test('A6-06 a screen reports that it is blocked by the parental code, which phones then say', async () => {
  const { actor } = await playing()
  const refused = (code: number) => {
    const error = playerError(new ApiError({ code, status: 403, message: '' }))
    actor.send({ type: 'refused', error, session: 'abc' })
    return stateOf(actor)
  }
  expect(refused(-1612)).toMatchObject({ playback: 'failed', isBlocked: true })
  expect(refused(-440)).toMatchObject({ playback: 'failed' })
  expect(refused(-440)).not.toHaveProperty('isBlocked')
})

test('V4-51 a channel is reported with the picture of its programme', async () => {
  const image = { url: '/images/p', width: 1600, height: 900, color: '#000000' }
  const { actor, reading, clock } = await playing({
    playable: channel,
    parts: { programmes: async () => [{ ...programmeFrom(7, 1000, 1100), image }] },
  })
  Object.assign(reading, { epoch: 1000, position: 60 })
  await waitFor(actor, (state) => state.context.programmes.length === 1)
  clock.increment(POLL)
  expect(stateOf(actor)?.image).toBe('/images/p/900')
})

test('V4-51 V4-56 a channel is reported with its programme and the next one, and again when the next one begins', async () => {
  const { actor, reading, clock } = await playing({
    playable: channel,
    parts: { programmes: async () => [programmeFrom(7, 1000, 1100), programmeFrom(8, 1100, 1200)] },
  })
  Object.assign(reading, { epoch: 1000, position: 60 })
  await waitFor(actor, (state) => state.context.programmes.length === 2)
  clock.increment(POLL)
  const { title: nextTitle = '' } = actor.getSnapshot().context.programmes[1] ?? {}
  const first = stateOf(actor)
  expect(first).toMatchObject({ subtitle: channel.title, programme: { start: 1000, end: 1100, nextTitle } })
  reading.position = 110
  clock.increment(POLL)
  const second = stateOf(actor)
  expect(second?.programme).toEqual({ start: 1100, end: 1200, nextTitle: '' })
  expect(first && second && isWorthReporting(first, second)).toBe(true)
})

test('V4-55 a channel is reported as live, without a duration', async () => {
  const { actor } = await playing({ playable: channel })
  expect(stateOf(actor)).toMatchObject({
    streamType: 'LIVE',
    isLive: true,
    duration: 0,
  })
})

test('V4-43 a screen reports that it is behind the live edge, from 2 s on, where the phone may go back', async () => {
  const isBehind = async (behind: number, timeshift: boolean) => {
    const { actor, reading, clock } = await playing({ playable: { ...channel, timeshift } })
    Object.assign(reading, { position: reading.edge - behind, epoch: NOW / 1000 })
    clock.increment(POLL)
    return stateOf(actor)?.isBehindLive === true
  }
  expect(await Promise.all([isBehind(1, true), isBehind(2, true), isBehind(2, false)])).toEqual([
    false,
    true,
    false,
  ])
})

test('V4-32 a screen reports the advertisement, which a phone may skip after its delay', async () => {
  const { actor, reading, clock } = await playing()
  const ad = { duration: 20, skipAfter: 5, clickUrl: null, report: 'a' }
  const reported = (position: number) => {
    reading.ad = { ad, number: 1, count: 2, position }
    clock.increment(POLL)
    return stateOf(actor)
  }
  // `loading` tells phones that the position of the film does not advance during the advertisement.
  expect(reported(4)).toMatchObject({
    playback: 'loading',
    canMove: false,
    ad: { number: 1, count: 2, canSkip: false },
  })
  expect(reported(6)).toMatchObject({ ad: { number: 1, count: 2, canSkip: true } })
  expect(eventOf({ type: 'skipAd', number: 1 }, actor.getSnapshot())).toEqual({ type: 'ad.skip' })
  // A command skips only the advertisement with its number, so that a repeated command does not skip the next one.
  expect(eventOf({ type: 'skipAd', number: 2 }, actor.getSnapshot())).toBeUndefined()
})

test('V4-51 a repeated command changes nothing', async () => {
  const { actor } = await playing()
  const events = (command: PlayerCommand) => eventOf(command, actor.getSnapshot())
  expect(events({ type: 'play' })).toBeUndefined()
  expect(events({ type: 'pause' })).toEqual({ type: 'togglePlay' })
  actor.send({ type: 'togglePlay' })
  expect(events({ type: 'pause' })).toBeUndefined()
  expect(events({ type: 'play' })).toEqual({ type: 'togglePlay' })
})

test('V4-57 of the audio tracks in a language, a phone gets the active one, and no commentary', async () => {
  const { actor } = await playing()
  const track = { type: 'AUDIO', language: 'en', label: '', isActive: false, captions: false } as const
  const commentary = { ...track, trackId: '1', addition: 'commentary' } as const
  const choose = (isActive: boolean) => {
    const audio = [commentary, { ...track, trackId: '2' }, { ...track, trackId: '3', isActive }]
    actor.send({ type: 'engine.tracks', tracks: { audio, subtitles: [], qualities: [], quality: null } })
    return eventOf({ type: 'audio', language: 'en' }, actor.getSnapshot())
  }
  expect(choose(false)).toMatchObject({ trackId: '2' })
  expect(choose(true)).toMatchObject({ trackId: '3' })
})

test('V4-57 no subtitles means that no track is active; an unknown language changes nothing', async () => {
  const { actor } = await playing()
  const track = {
    trackId: '7',
    type: 'TEXT',
    language: 'fr',
    label: '',
    isActive: true,
    captions: false,
  } as const
  actor.send({
    type: 'engine.tracks',
    tracks: { audio: [], subtitles: [track], qualities: [], quality: null },
  })
  const choose = (language: string) => eventOf({ type: 'subtitles', language }, actor.getSnapshot())
  expect(stateOf(actor)?.chosenSubtitles).toBe('fr')
  expect(choose('non')).toEqual({ type: 'chooseSubtitles', trackId: null, language: 'non' })
  expect(choose('fr')).toEqual({ type: 'chooseSubtitles', trackId: '7', language: 'fr' })
  expect(choose('de')).toBeUndefined()
  // A phone names only the language. The viewer who has chosen subtitles for the deaf gets those.
  const deaf = { ...track, trackId: '8', captions: true, isActive: false }
  actor.send({
    type: 'engine.tracks',
    tracks: { audio: [], subtitles: [track, deaf], qualities: [], quality: null },
  })
  expect(choose('fr')).toMatchObject({ trackId: '7' })
  actor.send({ type: 'chooseSubtitles', trackId: '8', language: 'fr', captions: true })
  expect(choose('fr')).toMatchObject({ trackId: '8' })
})

test('V4-51 a screen reports changes at once, and an undisturbed position every ten seconds', async () => {
  const { actor } = await playing()
  const last = stateOf(actor)!
  const after = (ms: number, position: number) => ({
    ...last,
    at: NOW + ms,
    position: (last.position ?? 0) + position,
  })
  expect(isWorthReporting(undefined, last)).toBe(true)
  expect(isWorthReporting(last, after(5000, 5))).toBe(false)
  expect(isWorthReporting(last, after(5000, 60))).toBe(true)
  expect(isWorthReporting(last, after(10_000, 10))).toBe(true)
  expect(isWorthReporting(last, { ...after(1000, 1), playback: 'paused' })).toBe(true)
})

test('V4-51 reports arrive in their order, and the newest report last', async () => {
  const sent: number[] = []
  const held: (() => void)[] = []
  const send = newestOnly(async (state: number) => {
    sent.push(state)
    await new Promise<void>((resolve) => held.push(resolve))
  })
  for (const state of [1, 2, 3]) send(state)
  expect(sent).toEqual([1])
  held[0]?.()
  await expect.poll(() => sent).toEqual([1, 3])
})
