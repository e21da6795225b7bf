import type { Screen } from '@ondine/contract/casting'
import { expect, test, vi } from 'vitest'
import { isPlaying } from './running-cast.ts'
import { REPORTED } from './test-screen.ts'
import { hasConnected } from './use-account-screens.ts'

vi.mock('../../ground/session/session.ts', () => ({}))
vi.mock('./own-screens.ts', () => ({}))
vi.mock('../../ground/configuration/use-configuration.ts', () => ({}))

const PLAYING: Screen = { casDeviceId: 12, name: 'Salon', isConnected: true, current: false, state: REPORTED }

test('V4-51 a phone can join what another screen plays, but not what has ended, is lost, or plays on this device', () => {
  expect(isPlaying(PLAYING)).toBe(true)
  for (const change of [
    { state: null },
    { state: { ...REPORTED, playback: 'ended' } },
    { state: { ...REPORTED, playback: 'failed' } },
    { state: { ...REPORTED, playback: 'loading', title: '' } },
    { isConnected: false },
    { current: true },
  ] satisfies Partial<Screen>[])
    expect(isPlaying({ ...PLAYING, ...change })).toBe(false)
})

test('V4-51 only an account with another screen that is switched on needs the mini-controller', () => {
  expect(hasConnected([PLAYING])).toBe(true)
  expect(hasConnected([])).toBe(false)
  expect(hasConnected([{ ...PLAYING, current: true }])).toBe(false)
  expect(hasConnected([{ ...PLAYING, isConnected: false }])).toBe(false)
})
