import type { CastCommand } from '@ondine/contract/casting'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import {
  connectCast,
  currentCast,
  disconnectCast,
  giveUpCast,
  joinCast,
  leaveCast,
  leaveCastOfOthers,
} from './cast-session.ts'
import type { CastTarget } from './cast-target.ts'

vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => 0 }))
vi.mock('../../ground/session/session.ts', () => ({}))
vi.mock('./own-screens.ts', () => ({ ownScreen: () => undefined }))

const PROFILE = 5
const stored = new Map<string, string>()

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  stored.clear()
})

/** Connects to a screen. @returns the commands that the screen receives */
function connected(): CastCommand['type'][] {
  const commands: CastCommand['type'][] = []
  const target: CastTarget = {
    id: '12',
    load: async () => {},
    control: async ({ type }) => void commands.push(type),
    listen: () => () => {},
  }
  connectCast(target, PROFILE)
  expect([currentCast(PROFILE)?.target.id, [...stored.values()]]).toEqual(['12', [`12 ${PROFILE}`]])
  return commands
}

const failed = (code: number, status: number) => new ApiError({ code, status, message: '' })

test('V4-52 the same screen can be chosen again, after the content there has ended', async () => {
  const commands = connected()
  const before = currentCast(PROFILE)?.target
  connectCast({ id: '12', load: async () => {}, control: async () => {}, listen: () => () => {} }, PROFILE)
  const after = currentCast(PROFILE)?.target
  expect([after?.id, after === before, [...stored.values()]]).toEqual(['12', false, [`12 ${PROFILE}`]])
  // The first target has the Google Cast session, so commands must still go through it.
  await after?.control({ type: 'pause' })
  expect(commands).toEqual(['pause'])
  await disconnectCast()
})

test('V4-52 disconnecting stops the screen', async () => {
  const commands = connected()
  await disconnectCast()
  expect([commands, currentCast(PROFILE), stored.size]).toEqual([['stop'], null, 0])
})

test('V4-51 a phone joins a screen and leaves it, and the screen plays on', async () => {
  const sent: string[] = []
  const target: CastTarget = {
    id: '12',
    load: async () => void sent.push('load'),
    control: async ({ type }) => void sent.push(type),
    listen: () => () => {},
  }
  joinCast(target, PROFILE)
  expect([currentCast(PROFILE)?.isJoined, [...stored.values()]]).toEqual([true, [`12 ${PROFILE}`]])
  leaveCast()
  expect([sent, currentCast(PROFILE), stored.size]).toEqual([[], null, 0])
})

test('A6-05 another profile disconnects from the screen, on which the first profile still watches', () => {
  const commands = connected()
  expect(currentCast(6)).toBeNull()
  leaveCastOfOthers(PROFILE)
  expect(currentCast(PROFILE)).not.toBeNull()
  leaveCastOfOthers(6)
  expect([commands, currentCast(PROFILE), stored.size]).toEqual([[], null, 0])
})

test('V4-51 a refused hand-over does not stop what others play on the screen', async () => {
  const commands = connected()
  await giveUpCast(failed(-511, 409))
  expect([commands, currentCast(PROFILE), stored.size]).toEqual([[], null, 0])
})

test('V4-52 a hand-over whose answer was lost stops the screen, which may have begun', async () => {
  const commands = connected()
  await giveUpCast(failed(NO_ANSWER, NO_ANSWER))
  expect([commands, currentCast(PROFILE)]).toEqual([['stop'], null])
})
