import type { CastMessage } from '@ondine/contract/casting'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isScreen, markAsScreen } from '../../features/people/devices/paired-screen.ts'
import type { Ending } from '../../features/viewing/casting/service-socket.ts'
import { createReceiver } from './receiver.ts'

const { followed, reported } = vi.hoisted(() => ({
  followed:
    vi.fn<
      (options: {
        after: () => number | undefined
        heard: (message: CastMessage) => void
        ended: (reason: Ending) => void
      }) => () => void
    >(),
  reported: vi.fn<(operation: unknown, input: unknown) => Promise<null>>(),
}))
vi.mock('../../features/viewing/casting/service-socket.ts', () => ({ followService: followed }))
vi.mock('../../api/call.ts', () => ({ call: reported }))

const stored = new Map<string, string>()

beforeEach(() => {
  followed.mockReturnValue(() => {})
  reported.mockResolvedValue(null)
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
  vi.stubGlobal('sessionStorage', storage)
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetAllMocks()
  stored.clear()
})

/** A connected receiver, with a function by which the fake service sends messages. */
function connected() {
  const receiver = createReceiver()
  receiver.connect(7)
  const options = followed.mock.calls[0]?.[0]
  if (options === undefined) throw new Error('The receiver has not connected')
  const heard: unknown[] = []
  return { receiver, says: options.heard, ends: options.ended, after: options.after, heard }
}

const load = (number: number): Extract<CastMessage, { type: 'load' }> => ({
  type: 'load',
  number,
  media: { content: { kind: 'channel', id: 4 }, startAt: null, idAudioLang: '', idSubtitleLang: 'non' },
  profileToken: 'lent',
})
const command = (number: number, type: 'play' | 'pause' | 'stop' | 'next'): CastMessage => ({
  type: 'command',
  number,
  command: { type },
})

test('V4-51 a screen plays what is handed over, and follows the commands from then on', () => {
  const { receiver, says, after } = connected()
  says({ type: 'opened', number: 3, casDeviceId: 12 })
  says(load(4))
  expect(receiver.assignment()).toEqual({
    number: 4,
    target: { kind: 'channel', id: 4, start: undefined },
    languages: { sub: 'non' },
    lent: { profileToken: 'lent', parentalProof: undefined },
  })
  expect(after()).toBe(4)
})

test('V4-53 a film that is handed over at a position continues exactly there', () => {
  const { receiver, says } = connected()
  says({ type: 'opened', number: 0, casDeviceId: 12 })
  const content = { kind: 'asset', id: 12 } as const
  says({ ...load(1), media: { content, startAt: 5380, idAudioLang: '', idSubtitleLang: 'non' } })
  expect(receiver.assignment()?.target).toEqual({ ...content, start: 5380, continues: true })
})

test('V4-51 commands wait for the player, and one that arrives again is carried out once', () => {
  const { receiver, says, heard } = connected()
  says({ type: 'opened', number: 0, casDeviceId: 12 })
  says(load(1))
  says(command(2, 'pause'))
  const leave = receiver.follow((each) => heard.push(each.type))
  says(command(3, 'next'))
  says(command(3, 'next'))
  says(command(2, 'pause'))
  leave()
  expect(heard).toEqual(['pause', 'next'])
})

test('V4-52 a stopped screen waits again, and later states of its player are not reported', async () => {
  const { receiver, says } = connected()
  says({ type: 'opened', number: 0, casDeviceId: 12 })
  says(load(1))
  says(command(2, 'stop'))
  expect(receiver.assignment()).toBeNull()
  receiver.report({} as never)
  await vi.waitFor(() => expect(reported).toHaveBeenCalledTimes(1))
  expect(reported.mock.calls[0]?.[1]).toEqual({ number: 2, state: undefined })
})

test('V4-51 a screen that its own remote has stopped tells phones that it plays nothing, and takes the next cast', async () => {
  const { receiver, says } = connected()
  says({ type: 'opened', number: 0, casDeviceId: 12 })
  says(load(1))
  receiver.stop()
  expect(receiver.assignment()).toBeNull()
  receiver.report({} as never)
  await vi.waitFor(() => expect(reported).toHaveBeenCalledTimes(1))
  expect(reported.mock.calls[0]?.[1]).toEqual({ number: 1, state: undefined })
  says(load(2))
  expect(receiver.assignment()?.number).toBe(2)
})

test('V4-52 a screen tells when a phone has stopped it, and not when its remote or another page has', () => {
  const { receiver, says, ends } = connected()
  const stopped = vi.fn()
  const unfollow = receiver.followStops(stopped)
  says({ type: 'opened', number: 0, casDeviceId: 12 })
  says(load(1))
  receiver.stop()
  says(load(2))
  ends('superseded')
  expect(stopped).not.toHaveBeenCalled()
  says(load(3))
  says(command(4, 'stop'))
  expect(stopped).toHaveBeenCalledTimes(1)
  unfollow()
  says(command(5, 'stop'))
  expect(stopped).toHaveBeenCalledTimes(1)
})

test('V4-51 a page that is not the screen any more stops playing and reports nothing', () => {
  const { receiver, says, ends } = connected()
  says({ type: 'opened', number: 0, casDeviceId: 12 })
  says(load(1))
  ends('superseded')
  expect(receiver.assignment()).toBeNull()
  receiver.report({} as never)
  expect(reported).not.toHaveBeenCalled()
})

test('A4.7-02 a browser is a screen on every page until its device is removed', () => {
  const { ends } = connected()
  markAsScreen()
  ends('superseded')
  expect(isScreen()).toBe(true)
  ends('revoked')
  expect(isScreen()).toBe(false)
})

test('V4-51 a receiver that another page of the screen has opened begins with the hand-over', () => {
  stored.set('ondine.screen.after', '8')
  const { receiver, says, after } = connected()
  expect(after()).toBe(8)
  says({ type: 'opened', number: 8, casDeviceId: 12 })
  says(load(9))
  expect(receiver.assignment()?.number).toBe(9)
})
