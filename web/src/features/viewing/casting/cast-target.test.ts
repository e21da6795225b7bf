import type { ScreenState } from '@ondine/contract/casting'
import { expect, test } from 'vitest'
import {
  castPosition,
  castShare,
  isControllable,
  positionToContinue,
  targetStatus,
  UNKNOWN_STATE,
} from './cast-target.ts'
import { REPORTED } from './test-screen.ts'

const NOW = REPORTED.at
const PLAYING = { playback: 'playing', position: 10, duration: 60, isLive: false, at: NOW } as const

test('V4-51 the position of a screen advances each second while it plays', () => {
  expect([0, 1000, 2000].map((ms) => castPosition(PLAYING, NOW + ms))).toEqual([10, 11, 12])
})

test('V4-51 the position stands still while the screen is paused, loads or has ended', () => {
  for (const playback of ['paused', 'loading', 'ended', 'failed'] as const)
    expect(castPosition({ ...PLAYING, playback }, NOW + 5000)).toBe(10)
})

test('V4-51 the position stays within the film, and a report from the future does not move it back', () => {
  expect(castPosition(PLAYING, NOW + 90_000)).toBe(60)
  expect(castPosition(PLAYING, NOW - 90_000)).toBe(10)
})

test('V4-51 the position of a channel advances without an end', () => {
  expect(castPosition({ ...PLAYING, duration: 0 }, NOW + 90_000)).toBe(100)
  expect(castPosition({ ...PLAYING, isLive: true }, NOW + 90_000)).toBe(100)
})

test('V4-52 content that has ended on the screen continues at its beginning', () => {
  expect(positionToContinue(PLAYING, NOW + 2000)).toBe(12)
  expect(positionToContinue({ ...PLAYING, playback: 'ended', position: 60 }, NOW + 2000)).toBe(0)
})

test('V4-51 a phone says whether a screen plays, has failed or is lost, and controls only what plays', () => {
  const statusOf = (playback: ScreenState['playback'], isAvailable = true) =>
    targetStatus({ device: 'Salon', isAvailable, media: { ...REPORTED, playback } })
  expect([statusOf('playing'), statusOf('failed'), statusOf('failed', false)]).toEqual([
    'playsOn',
    'failed',
    'lost',
  ])
  const blocked: ScreenState = { ...REPORTED, playback: 'failed', isBlocked: true }
  expect(targetStatus({ device: 'Salon', isAvailable: true, media: blocked })).toBe('blocked')
  expect(targetStatus(UNKNOWN_STATE)).toBe('playsOn')
  const states = ['loading', 'playing', 'paused', 'ended', 'failed'] as const
  expect(states.map((playback) => isControllable({ playback }))).toEqual([true, true, true, false, false])
})

test('V4-51 the progress of a film is its played share, and that of a channel the share of its programme', () => {
  expect(castShare({ duration: 60, isLive: false }, 15)).toBe(0.25)
  expect(castShare({ duration: 0, isLive: false }, 15)).toBeUndefined()
  const programme = { start: 1000, end: 2000, nextTitle: '' }
  expect([900, 1500, 2100].map((at) => castShare({ duration: 0, isLive: true, programme }, at))).toEqual([
    0, 0.5, 1,
  ])
  expect(castShare({ duration: 0, isLive: true }, 1500)).toBeUndefined()
})
