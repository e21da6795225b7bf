import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { areCallsHeld, releaseCalls } from '../../../api/session-end.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { LEAVING, viewerTabs } from '../../ground/session/viewer-tabs.ts'
import { followTabs } from './use-viewer-elsewhere.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

const fetched = vi.fn<() => Promise<Response>>()
const reload = vi.fn()
/** Listeners of the window by the name of their event. */
const listeners = new Map<string, (event: object) => void>()
let queries: QueryClient
let end: () => void
let other: ReturnType<typeof viewerTabs>

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('window', {
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  })
  queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, sessionOf(5, 7))
  end = followTabs(queries, '5/7')
  other = viewerTabs()
})
afterEach(() => {
  end()
  other?.close()
  releaseCalls()
  fetched.mockReset()
  reload.mockReset()
  vi.unstubAllGlobals()
})

/** Returns the session of a profile. The code under test reads only the ids. */
function sessionOf(account: number, profile: number) {
  return { account: { id: account }, profile: { id: profile } } as never
}

const NOBODY = { account: null, profile: null }

function answers(session: object): void {
  fetched.mockImplementation(async () => Response.json({ status: true, result: session }))
}

/** Sends a message from another tab. */
function tell(message: string): void {
  const post = other?.postMessage.bind(other)
  post?.(message)
}

/** Waits until this page has handled all earlier messages and the answers to its calls. */
async function settle(): Promise<void> {
  tell(LEAVING)
  await vi.waitFor(() => expect(areCallsHeld()).toBe(true), { interval: 1 })
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0), { interval: 1 })
}

test('reloads when another tab changes the profile', async () => {
  answers(sessionOf(5, 9))
  tell('5/9')
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('does not reload when the offline page opens in another tab while the service answers', async () => {
  answers(sessionOf(5, 7))
  tell('/')
  await settle()
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(reload).not.toHaveBeenCalled()
})

test('does not reload when the offline page opens in another tab and the service does not answer', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  tell('/')
  await settle()
  expect(fetched).toHaveBeenCalledTimes(1)
  expect(reload).not.toHaveBeenCalled()
})

test.each(['focus', 'online'])('asks again at %s if the service did not answer', async (event) => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  tell('5/9')
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1))
  await settle()
  answers(sessionOf(5, 9))
  releaseCalls()
  listeners.get(event)?.({})
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

test('asks nothing when a tab of the same viewer opens', async () => {
  tell('5/7')
  await settle()
  expect(fetched).not.toHaveBeenCalled()
  expect(reload).not.toHaveBeenCalled()
})

test('A4.3-07 reloads after a sign-out in another tab, without sending the calls that wait', async () => {
  tell(LEAVING)
  tell('/')
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  expect(fetched).not.toHaveBeenCalled()
})

test.each([
  ['the same viewer', { account: { id: 5 }, profile: { id: 7 } }, 0],
  ['another viewer', NOBODY, 1],
])('a page that the browser restores for %s reloads %#', async (_who, session, times) => {
  answers(session)
  listeners.get('pageshow')?.({ persisted: true })
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1))
  await settle()
  expect(reload).toHaveBeenCalledTimes(times)
})
