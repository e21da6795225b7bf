import { expect, test, vi } from 'vitest'
import { NAMESPACE } from '../../features/viewing/casting/google/google-screen.ts'
import {
  CLOSE_DELAY_MS,
  isGoogleReceiver,
  type ReceiverAccount,
  type ReceiverContext,
  serveGoogleCast,
} from './google-receiver.ts'
import type { Assignment } from './receiver.ts'

/** A fake of Google's receiver framework, written from its published types. */
function receiver() {
  const sent: unknown[] = []
  const started: unknown[] = []
  const stop = vi.fn()
  const listeners = new Set<(event: { data: unknown }) => void>()
  const context: ReceiverContext = {
    addCustomMessageListener: (namespace, heard) => {
      expect(namespace).toBe(NAMESPACE)
      listeners.add(heard)
    },
    removeCustomMessageListener: (_namespace, heard) => void listeners.delete(heard),
    sendCustomMessage: (_namespace, _sender, data) => sent.push(data),
    start: (options) => started.push(options),
    stop,
  }
  const hear = (data: unknown) => {
    for (const heard of listeners) heard({ data })
  }
  return { context, stop, sent, started, hear }
}

function account(idAccount: number | undefined) {
  const done: string[] = []
  const held: ReceiverAccount = {
    idAccount,
    opened: async () => 12,
    signOut: async () => void done.push('signOut'),
    pair: async (show) => {
      show('ABC234')
      done.push('pair')
    },
    reload: () => done.push('reload'),
  }
  return { held, done }
}

/** A screen, with functions by which phones assign content and stop it. */
function screen() {
  let assigned: Assignment | null = null
  let stopped = () => {}
  return {
    screen: {
      assignment: () => assigned,
      followStops: (heard: () => void) => {
        stopped = heard
        return () => {
          stopped = () => {}
        }
      },
    },
    load: () => {
      assigned = {
        number: 1,
        target: { kind: 'channel', id: 4 },
        languages: {},
        lent: { profileToken: 'lent' },
      }
    },
    stop: () => {
      assigned = null
      stopped()
    },
  }
}

const HELLO = { type: 'hello', idAccount: 7 }

test('V4-54 a receiver of the account tells which screen it is', async () => {
  const { context, sent, started, hear } = receiver()
  const { held, done } = account(7)
  serveGoogleCast(context, held, screen().screen)
  expect(started).toEqual([{ disableIdleTimeout: true, skipPlayersLoad: true }])
  hear(HELLO)
  await expect.poll(() => sent).toContainEqual({ type: 'screen', casDeviceId: 12 })
  expect(done).toEqual([])
})

test.each([
  ['of nobody', undefined, ['pair', 'reload']],
  ['of another account', 8, ['signOut', 'pair', 'reload']],
])('V4-54 a receiver %s asks to be paired', async (_name, idAccount, steps) => {
  const { context, sent, hear } = receiver()
  const { held, done } = account(idAccount)
  serveGoogleCast(context, held, screen().screen)
  hear(HELLO)
  hear(HELLO)
  await expect.poll(() => done).toEqual(steps)
  expect(sent).toContainEqual({ type: 'pair', code: 'ABC234' })
})

test('V4-54 a receiver does not answer unknown messages', () => {
  const { context, sent, hear } = receiver()
  serveGoogleCast(context, account(undefined).held, screen().screen)
  for (const data of [null, 'hello', {}, { type: 'hello' }, { type: 'hello', idAccount: 'x' }]) hear(data)
  expect(sent).toEqual([])
})

test('V4-54 only the page of a Google Cast device loads the receiver framework', () => {
  expect(
    isGoogleReceiver('Mozilla/5.0 (X11; Linux armv7l) Chrome/110.0.0.0 Safari/537.36 CrKey/1.56.500000'),
  ).toBe(true)
  expect(isGoogleReceiver('Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36')).toBe(false)
})

test('V4-54 V4-52 a receiver that a phone has stopped ends its session, unless another cast begins', () => {
  vi.useFakeTimers()
  try {
    const { context, stop } = receiver()
    const phone = screen()
    serveGoogleCast(context, account(7).held, phone.screen)
    phone.load()
    phone.stop()
    vi.advanceTimersByTime(CLOSE_DELAY_MS - 1)
    phone.load()
    vi.advanceTimersByTime(CLOSE_DELAY_MS)
    expect(stop).not.toHaveBeenCalled()
    phone.stop()
    vi.advanceTimersByTime(CLOSE_DELAY_MS - 1)
    expect(stop).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(stop).toHaveBeenCalledTimes(1)
  } finally {
    vi.useRealTimers()
  }
})

test('V4-54 a receiver whose account has changed answers only for the new one, and no old timer ends it', () => {
  vi.useFakeTimers()
  try {
    const { context, stop, sent, hear } = receiver()
    const phone = screen()
    const end = serveGoogleCast(context, account(undefined).held, phone.screen)
    phone.stop()
    end()
    phone.stop()
    hear(HELLO)
    vi.advanceTimersByTime(CLOSE_DELAY_MS)
    expect(stop).not.toHaveBeenCalled()
    expect(sent).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
