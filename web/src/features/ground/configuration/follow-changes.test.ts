import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ConfigurationState } from '../../../api/page-context.ts'
import { followChanges } from './follow-changes.ts'

/** A fake page of a browser, with its visibility, its connection and its event listeners. */
const page = { visibilityState: 'visible', onLine: true }
let listeners: Record<string, () => void> = {}

beforeEach(() => {
  vi.useFakeTimers()
  page.visibilityState = 'visible'
  page.onLine = true
  listeners = {}
  const target = {
    addEventListener: (name: string, listener: () => void) => {
      listeners[name] = listener
    },
    removeEventListener: (name: string) => {
      delete listeners[name]
    },
  }
  vi.stubGlobal('document', {
    ...target,
    get visibilityState() {
      return page.visibilityState
    },
  })
  vi.stubGlobal('window', target)
  vi.stubGlobal('navigator', {
    get onLine() {
      return page.onLine
    },
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function state(tag: string): ConfigurationState {
  return { tag, revisions: {}, configuration: {} as ConfigurationState['configuration'] }
}

function follow(ask: (known: ConfigurationState | undefined) => Promise<ConfigurationState | undefined>) {
  let known = state('first')
  const changes: string[] = []
  const asked = vi.fn(ask)
  const end = followChanges({
    known: () => known,
    ask: asked,
    changed: (next, before) => {
      changes.push(`${before?.tag} -> ${next.tag}`)
      known = next
    },
  })
  return { asked, changes, end }
}

test('V1-01 a visible page learns of a change within five seconds', async () => {
  const answers = [undefined, state('second'), undefined]
  const { changes, end } = follow(async () => answers.shift())
  await vi.advanceTimersByTimeAsync(3000)
  expect(changes).toEqual([])
  await vi.advanceTimersByTimeAsync(4999)
  expect(changes).toEqual(['first -> second'])
  end()
})

test('a hidden page asks nothing, and asks at once when it is visible again', async () => {
  const { asked, end } = follow(async () => undefined)
  page.visibilityState = 'hidden'
  listeners.visibilitychange?.()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).not.toHaveBeenCalled()
  page.visibilityState = 'visible'
  listeners.visibilitychange?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveBeenCalledOnce()
  end()
})

test('asks a failing service less and less often, and again when the connection is back', async () => {
  const { asked, end } = follow(async () => {
    throw new Error('away')
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked.mock.calls.length).toBeLessThan(7)
  const before = asked.mock.calls.length
  page.onLine = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked.mock.calls.length).toBeLessThanOrEqual(before + 1)
  const offline = asked.mock.calls.length
  page.onLine = true
  listeners.online?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveBeenCalledTimes(offline + 1)
  end()
})

test('asks nothing after it is stopped', async () => {
  const { asked, end } = follow(async () => undefined)
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).not.toHaveBeenCalled()
  expect(listeners).toEqual({})
})
