import { expect, test, vi } from 'vitest'
import type { CastTarget, TargetState } from '../cast-target.ts'
import { googleScreen, NAMESPACE, startReceiver } from './google-screen.ts'
import { mayCast, type SenderFramework, type SenderSession } from './sender-framework.ts'

/** A fake of Google's sender framework, written from its published types. */
function sender({ isCancelled = false } = {}) {
  const listeners = new Set<(namespace: string, message: string) => void>()
  const events = new Set<(event: { sessionState: string }) => void>()
  const sent: unknown[] = []
  const ended: boolean[] = []
  let current: SenderSession | null = null
  const session: SenderSession = {
    addMessageListener: (_namespace, listener) => listeners.add(listener),
    removeMessageListener: (_namespace, listener) => listeners.delete(listener),
    sendMessage: async (namespace, message) => {
      sent.push([namespace, message])
    },
  }
  const framework: SenderFramework = {
    CastContextEventType: { SESSION_STATE_CHANGED: 'sessionstatechanged' },
    SessionState: { SESSION_ENDED: 'SESSION_ENDED' },
    CastContext: {
      getInstance: () => ({
        setOptions: () => {},
        requestSession: async () => {
          if (isCancelled) throw new Error('cancel')
          current = session
        },
        getCurrentSession: () => current,
        endCurrentSession: (stop) => ended.push(stop),
        addEventListener: (_type, listener) => events.add(listener),
        removeEventListener: (_type, listener) => events.delete(listener),
      }),
    },
  }
  return {
    framework,
    sent,
    ended,
    events,
    listeners,
    hear: (message: unknown) => {
      for (const listener of listeners) listener(NAMESPACE, JSON.stringify(message))
    },
  }
}

test('V4-54 starts the receiver, enters its code, and learns which screen it is', async () => {
  const { framework, sent, hear, listeners } = sender()
  const codes: string[] = []
  const started = startReceiver(framework, 7, async (code) => {
    codes.push(code)
    return true
  })
  await expect.poll(() => sent).toEqual([[NAMESPACE, { type: 'hello', idAccount: 7 }]])
  for (const foreign of ['hello', null, { type: 'pair' }, { type: 'screen', casDeviceId: 'x' }]) hear(foreign)
  hear({ type: 'pair', code: 'ABC234' })
  hear({ type: 'screen', casDeviceId: 12 })
  expect(await started).toBe(12)
  expect(codes).toEqual(['ABC234'])
  expect(listeners.size).toBe(0)
})

test('V4-54 ends the session of a receiver that may not be paired', async () => {
  const { framework, hear, ended, listeners, sent } = sender()
  const started = startReceiver(framework, 7, async () => {
    throw new Error('refused')
  })
  await expect.poll(() => sent).toHaveLength(1)
  hear({ type: 'pair', code: 'ABC234' })
  await expect(started).rejects.toThrow('refused')
  expect([ended, listeners.size]).toEqual([[true], 0])
})

test('V4-54 ends the session if the viewer does not pair the receiver', async () => {
  const { framework, hear, ended, sent } = sender()
  const started = startReceiver(framework, 7, async () => false)
  await expect.poll(() => sent).toHaveLength(1)
  hear({ type: 'pair', code: 'ABC234' })
  expect(await started).toBeUndefined()
  expect(ended).toEqual([true])
})

test('V4-54 ends the session of a receiver that does not answer, before or after its pairing', async () => {
  vi.useFakeTimers()
  try {
    for (const isPaired of [false, true]) {
      const { framework, hear, ended, listeners } = sender()
      const started = startReceiver(framework, 7, async () => {
        // The viewer takes five minutes for the parental code. This time must not count.
        await new Promise((resolve) => setTimeout(resolve, 300_000))
        return true
      })
      const failed = vi.fn<(error: unknown) => void>()
      started.catch(failed)
      await vi.advanceTimersByTimeAsync(59_000)
      if (isPaired) {
        hear({ type: 'pair', code: 'ABC234' })
        await vi.advanceTimersByTimeAsync(359_000)
      }
      expect(failed).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(2000)
      expect(failed).toHaveBeenCalledTimes(1)
      expect([ended, listeners.size]).toEqual([[true], 0])
    }
  } finally {
    vi.useRealTimers()
  }
})

test('V4-54 does nothing if the viewer chooses no device', async () => {
  const { framework, sent } = sender({ isCancelled: true })
  expect(await startReceiver(framework, 7, async () => true)).toBeUndefined()
  expect(sent).toEqual([])
})

test('V4-54 a stopped session disconnects, and stopping ends the session', async () => {
  const { framework, events, ended } = sender()
  const states: (TargetState | null)[] = []
  const commands: string[] = []
  const own: CastTarget = {
    id: '12',
    load: async () => {},
    control: async ({ type }) => void commands.push(type),
    listen: (listener) => {
      // The first list was fetched before the screen was paired, so the screen is missing.
      listener(null)
      return () => {}
    },
  }
  const screen = googleScreen(own, framework)
  const stop = screen.listen((state) => states.push(state))
  for (const each of events) each({ sessionState: 'SESSION_RESUMED' })
  expect(states).toEqual([])
  for (const each of events) each({ sessionState: 'SESSION_ENDED' })
  expect(states).toEqual([null])
  await screen.control({ type: 'pause' })
  await screen.control({ type: 'stop' })
  expect([commands, ended]).toEqual([['pause', 'stop'], [true]])
  stop()
  expect(events.size).toBe(0)
})

test('V4-54 only browsers that can cast load Google’s script', () => {
  expect(mayCast('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36')).toBe(
    true,
  )
  expect(mayCast('Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.2 Safari/605.1.15')).toBe(false)
  expect(
    mayCast('Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 Chrome/110.0.0.0 Safari/537.36 CrKey/1.56'),
  ).toBe(false)
  expect(mayCast('Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile')).toBe(
    false,
  )
})
