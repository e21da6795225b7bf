import type { ScreenState } from '@ondine/contract/casting'
import { expect, test } from 'vitest'
import { REPORTED } from '../../features/viewing/casting/test-screen.ts'
import { NOTHING_READ } from '../engine/engine.ts'
import { channel, film } from '../machine/test-player.ts'
import { castMediaOf, continuedTarget, followContent, followState, placeAfterCast } from './cast-media.ts'

const READING = { ...NOTHING_READ, position: 42, range: { start: 0, end: 100 }, edge: 100 }
const FRENCH = { audio: 'fra', sub: 'eng', captions: true }

test('V4-53 V4-55 hands a film over at its position, in its languages', () => {
  const target = { kind: 'asset', id: 12 } as const
  expect(
    castMediaOf({ target, toSeek: null, reading: READING, playable: film, selectedMedia: FRENCH }),
  ).toEqual({
    content: { kind: 'asset', id: 12 },
    startAt: 42,
    idAudioLang: 'fra',
    idSubtitleLang: 'eng',
    subtitleCaptions: true,
  })
})

test('V4-55 the default languages are eng and no subtitles', () => {
  const target = { kind: 'asset', id: 12 } as const
  expect(
    castMediaOf({ target, toSeek: null, reading: NOTHING_READ, playable: null, selectedMedia: null }),
  ).toMatchObject({
    startAt: null,
    idAudioLang: 'eng',
    idSubtitleLang: 'non',
  })
})

test('V4-53 hands a channel over at its live edge, or at its time behind it', () => {
  const target = { kind: 'channel', id: 1 } as const
  const live = { ...READING, epoch: 1000, edge: 50 }
  const given = { target, playable: channel, selectedMedia: FRENCH, toSeek: null }
  expect(castMediaOf({ ...given, reading: live })?.startAt).toBeNull()
  expect(castMediaOf({ ...given, reading: { ...live, edge: 500 } })?.startAt).toBe(1042)
})

test.each([
  ['channel', { kind: 'channel', id: 1, start: 1010 }, 1010, 1010, 10],
  ['event', { kind: 'asset', id: 12, start: 10 }, 1010, 10, 10],
] as const)(
  'V4-53 hands over the start of a %s that playback has not reached yet, and goes on there',
  (_, target, toSeek, startAt, position) => {
    const reading = { ...READING, epoch: 1000, edge: 50, followsLive: true }
    const given = {
      target,
      playable: { ...channel, kind: target.kind },
      selectedMedia: FRENCH,
      reading,
      toSeek,
    }
    expect(castMediaOf(given)?.startAt).toBe(startAt)
    expect(placeAfterCast(null, { ...given, hasEnded: false }, 0)).toEqual({
      position,
      followsLive: false,
      hasEnded: false,
    })
  },
)

test('V4-55 a trailer is not handed over', () => {
  const target = { kind: 'trailer', id: 3 } as const
  expect(
    castMediaOf({ target, toSeek: null, reading: READING, playable: film, selectedMedia: FRENCH }),
  ).toBeUndefined()
})

test('V2.1-16 a download that plays from this device is not handed over', () => {
  const target = { kind: 'asset', id: 12, offline: true } as const
  expect(
    castMediaOf({ target, toSeek: null, reading: READING, playable: film, selectedMedia: FRENCH }),
  ).toBeUndefined()
})

test('V4-53 content that has ended here begins anew on the screen', () => {
  const target = { kind: 'asset', id: 12 } as const
  const ended = { ...READING, position: 100 }
  expect(
    castMediaOf({ target, toSeek: null, reading: ended, playable: film, selectedMedia: FRENCH }, true)
      ?.startAt,
  ).toBe(0)
})

test('V4-53 a recording that still grows is handed over at its own position, not at a time of the day', () => {
  const target = { kind: 'recording', id: 3 } as const
  const growing = { ...READING, epoch: 1_700_000_000 }
  expect(
    castMediaOf({ target, toSeek: null, reading: growing, playable: film, selectedMedia: FRENCH })?.startAt,
  ).toBe(42)
})

test('V4-52 playback continues where the screen was, and the next episode begins at its own beginning', () => {
  const left = { kind: 'asset', id: 12, position: 2400 } as const
  expect(continuedTarget({ kind: 'asset', id: 12, start: 300 }, left)).toMatchObject({ id: 12, start: 2400 })
  for (const next of [
    { kind: 'asset', id: 13 },
    { kind: 'channel', id: 12 },
  ] as const)
    expect(continuedTarget(next, left)).toBe(next)
  expect(continuedTarget({ kind: 'asset', id: 12 }, { ...left, position: undefined })).toEqual({
    kind: 'asset',
    id: 12,
  })
})

test('V4-52 a phone goes on to the next episode with the screen, but not back to what played there before', () => {
  const playing = (id: number) => ({ content: { kind: 'asset', id } as const })
  const follow = followContent({ kind: 'asset', id: 12 })
  expect([playing(7), null, playing(12), null].map(follow)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(follow(playing(13))).toEqual({ kind: 'asset', id: 13 })
  expect(follow({ content: { kind: 'channel', id: 12 } })).toEqual({ kind: 'channel', id: 12 })
})

test('V4-52 the position of a screen stays where another phone, or a restart of the screen, has stopped it', () => {
  const { at, content } = REPORTED
  const stateAfter = followState(content)
  expect(stateAfter(null, at)).toBeNull()
  expect(stateAfter({ ...REPORTED, content: { kind: 'asset', id: 7 } }, at)).toBeNull()
  expect(stateAfter(REPORTED, at + 1000)).toBe(REPORTED)
  const stopped = { ...REPORTED, playback: 'paused', position: 13 }
  expect(stateAfter(null, at + 3000)).toEqual(stopped)
  expect(stateAfter(null, at + 60_000)).toEqual(stopped)
  expect(stateAfter({ ...REPORTED, position: 40 }, at + 90_000)?.position).toBe(40)
})

test('V4-52 after a cast, a film continues at the place of the screen, and at its beginning after its end', () => {
  const film = { target: { kind: 'asset', id: 1 }, reading: READING, toSeek: null, hasEnded: false } as const
  const after = (state: Partial<ScreenState>, context: Parameters<typeof placeAfterCast>[1] = film) =>
    placeAfterCast({ ...REPORTED, ...state }, context, REPORTED.at + 2000)
  expect(after({})).toEqual({ position: 12, followsLive: false, hasEnded: false })
  expect(after({ playback: 'ended', position: 60 })).toEqual({
    position: 0,
    followsLive: false,
    hasEnded: true,
  })
  // The film that had ended here plays on the screen again.
  expect(after({}, { ...film, hasEnded: true }).hasEnded).toBe(false)
})

test('V4-52 after a cast without a report, a film continues where it was here, and at its beginning after its end', () => {
  const film = { target: { kind: 'asset', id: 1 }, reading: READING, toSeek: null } as const
  const after = (hasEnded: boolean) => placeAfterCast(null, { ...film, hasEnded }, 0)
  expect(after(false)).toEqual({ position: 42, followsLive: false, hasEnded: false })
  expect(after(true)).toEqual({ position: 0, followsLive: false, hasEnded: true })
})

test('V4-52 after a cast, a channel continues at the time of the screen, in seconds of this player', () => {
  const context = {
    target: { kind: 'channel', id: 1 },
    reading: { ...READING, epoch: 1000 },
    toSeek: null,
    hasEnded: false,
  } as const
  const state: ScreenState = { ...REPORTED, isLive: true, position: 1080, playback: 'paused' }
  expect(placeAfterCast(state, context, REPORTED.at)).toEqual({
    position: 80,
    followsLive: false,
    hasEnded: false,
  })
  expect(placeAfterCast({ ...state, playback: 'playing' }, context, REPORTED.at).followsLive).toBe(true)
})
