import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inSession, releaseCalls } from '../../../api/session-end.ts'
import { modal } from '../../../modals/modal.ts'
import { onSignOut, signOut } from './sign-out.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => ({ t: (key: string) => key }) }))

/** The steps of a sign-out, in the order in which they happened. */
const steps: string[] = []
const fetched = vi.fn<(address: string) => Promise<Response>>()
const opened = vi.spyOn(modal, 'open')

onSignOut(async () => {
  // A database answers in a later turn of the event loop.
  await setImmediate()
  steps.push('forgotten')
  return async () => void steps.push('taken back')
})

beforeEach(() => {
  steps.length = 0
  opened.mockReset()
  opened.mockImplementation(async () => void steps.push('told'))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('location', { assign: (address: string) => void steps.push(address) })
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  releaseCalls()
  vi.unstubAllGlobals()
})

function answers(answer: () => Promise<Response>): void {
  fetched.mockImplementationOnce(async (address) => {
    steps.push(address)
    return await answer()
  })
}

test('A4.3-07 a sign-out makes the device forget the viewer before the service learns of it', async () => {
  answers(async () => Response.json({ status: true, result: null }))
  await signOut()
  expect(steps).toEqual(['forgotten', '/proxy/logout', '/'])
})

test('A4.3-07 a session that has ended already is signed out', async () => {
  answers(async () => Response.json({ status: false, error: { code: -1, message: '' } }, { status: 401 }))
  await signOut()
  expect(steps).toEqual(['forgotten', '/proxy/logout', '/'])
})

test.each([
  ['without a connection', async () => await Promise.reject(new TypeError('Failed to fetch'))],
  ['while the service fails', async () => new Response('', { status: 503 })],
])('A4.3-07 %s, the viewer learns that the session goes on, and it does', async (_what, answer) => {
  answers(answer)
  await signOut()
  expect(steps).toEqual(['forgotten', '/proxy/logout', 'taken back', 'told'])
  expect(opened).toHaveBeenCalledExactlyOnceWith('alert', {
    title: 'auth.stillSignedIn',
    description: 'auth.stillSignedInText',
  })
  expect(await inSession(async () => 'called')).toBe('called')
})
