import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setActiveProfile } from '../../features/content/downloads/store.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { prepareForOffline } from './installed-app.ts'

vi.mock('@tanstack/react-start', () => ({
  // Behaves as in the browser.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))
vi.mock('../../features/content/downloads/store.ts', () => ({
  activeProfile: async () => 7,
  setActiveProfile: vi.fn<(profileId: number | null) => Promise<void>>(),
}))
vi.mock('../../features/content/downloads/ended-downloads.ts', () => ({ removeEnded: vi.fn() }))
vi.mock('../../features/content/downloads/run-downloads.ts', () => ({ continueDownloads: vi.fn() }))

const NOBODY = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 0,
} as const
const fetched = vi.fn<() => Promise<Response>>()
const register = vi.fn<(address: string) => Promise<void>>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('navigator', { serviceWorker: { register } })
})
afterEach(() => {
  vi.mocked(setActiveProfile).mockReset()
  register.mockReset()
  vi.unstubAllGlobals()
})

/** Prepares a page whose data says that nobody is signed in. */
async function prepareVisitorPage(): Promise<void> {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  await prepareForOffline(queries, true)
}

test('A2.4-02 a page that opened without a connection does not forget the profile', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  await prepareVisitorPage()
  expect(setActiveProfile).not.toHaveBeenCalled()
})

test('A2.4-02 forgets the profile once the service says that the viewer is signed out', async () => {
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  await prepareVisitorPage()
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(null)
})

test('visitors do not fetch the whole application. A viewer who signs in does', async () => {
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  await prepareForOffline(queries, true)
  expect(register).not.toHaveBeenCalled()
  const profile = {
    id: 7,
    name: 'Gaspard',
    language: 'fra',
    picture: null,
    avatarId: null,
    imageId: null,
    kidProfile: false,
    parentalControl: false,
    default: true,
    maximumMoralityLevel: 0,
    settings: {},
  } as const
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile })
  await vi.waitFor(() => expect(register).toHaveBeenCalledExactlyOnceWith('/service-worker.js?language=fra'))
})

test('remembers who watches where downloads are not offered, for notifications', async () => {
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  await prepareForOffline(queries, false)
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(null)
  expect(register).not.toHaveBeenCalled()
})
