import { expect, test } from 'vitest'
import { NAMESPACE } from '../../features/viewing/casting/google/google-screen.ts'
import {
  isGoogleReceiver,
  type ReceiverAccount,
  type ReceiverContext,
  serveGoogleCast,
} from './google-receiver.ts'

/** A fake of Google's receiver framework, written from its published types. */
function receiver() {
  const sent: unknown[] = []
  const started: unknown[] = []
  let listener: (event: { data: unknown }) => void = () => {}
  const context: ReceiverContext = {
    addCustomMessageListener: (namespace, heard) => {
      expect(namespace).toBe(NAMESPACE)
      listener = heard
    },
    sendCustomMessage: (_namespace, _sender, data) => sent.push(data),
    start: (options) => started.push(options),
  }
  return { context, sent, started, hear: (data: unknown) => listener({ data }) }
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

const HELLO = { type: 'hello', idAccount: 7 }

test('V4-54 a receiver of the account tells which screen it is', async () => {
  const { context, sent, started, hear } = receiver()
  const { held, done } = account(7)
  serveGoogleCast(context, held)
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
  serveGoogleCast(context, held)
  hear(HELLO)
  hear(HELLO)
  await expect.poll(() => done).toEqual(steps)
  expect(sent).toContainEqual({ type: 'pair', code: 'ABC234' })
})

test('V4-54 a receiver does not answer unknown messages', () => {
  const { context, sent, hear } = receiver()
  serveGoogleCast(context, account(undefined).held)
  for (const data of [null, 'hello', {}, { type: 'hello' }, { type: 'hello', idAccount: 'x' }]) hear(data)
  expect(sent).toEqual([])
})

test('V4-54 only the page of a Google Cast device loads the receiver framework', () => {
  expect(
    isGoogleReceiver('Mozilla/5.0 (X11; Linux armv7l) Chrome/110.0.0.0 Safari/537.36 CrKey/1.56.500000'),
  ).toBe(true)
  expect(isGoogleReceiver('Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36')).toBe(false)
})
