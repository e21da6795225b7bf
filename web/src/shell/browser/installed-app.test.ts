import { homeContent } from '@ondine/contract/catalogue'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeEnded } from '../../features/content/downloads/ended-downloads.ts'
import { exchangeOwnPositions } from '../../features/content/downloads/exchange-positions.ts'
import { continueDownloads } from '../../features/content/downloads/run-downloads.ts'
import { activeProfile, setActiveProfile } from '../../features/content/downloads/store.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { onSignOut } from '../../features/people/sign-in/sign-out.ts'
import { prepareForOffline } from './installed-app.ts'

vi.mock('@tanstack/react-start', () => ({
  // Runs the client's function, as a browser would.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))
vi.mock('../../features/content/downloads/store.ts', () => ({
  activeProfile: vi.fn<() => Promise<number | null>>(),
  setActiveProfile: vi.fn<(profileId: number | null) => Promise<void>>(),
}))
vi.mock('../../features/people/sign-in/sign-out.ts', () => ({ onSignOut: vi.fn<typeof onSignOut>() }))
vi.mock('../../features/content/downloads/show-on-cards.ts', () => ({ showDownloadsOnCards: vi.fn() }))
vi.mock('../../features/content/downloads/ended-downloads.ts', () => ({ removeEnded: vi.fn() }))
vi.mock('../../features/content/downloads/exchange-positions.ts', () => ({
  exchangeOwnPositions: vi.fn<(profileId: number) => Promise<boolean>>(async () => false),
}))
vi.mock('../../features/content/downloads/run-downloads.ts', () => ({ continueDownloads: vi.fn() }))

const PROFILE = {
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
const NOBODY = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 0,
} as const
const fetched = vi.fn<() => Promise<Response>>()
const register = vi.fn<(address: string) => Promise<void>>()
const unsubscribe = vi.fn<() => Promise<boolean>>()
/** A fake service worker registration with a subscription to notifications. */
const registration = { pushManager: { getSubscription: async () => ({ unsubscribe }) } }

beforeEach(() => {
  vi.mocked(activeProfile).mockResolvedValue(7)
  vi.stubGlobal('fetch', fetched)
  const getRegistration = async () => registration
  vi.stubGlobal('navigator', { serviceWorker: { register, getRegistration } })
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.mocked(setActiveProfile).mockReset()
  vi.mocked(exchangeOwnPositions).mockClear()
  register.mockReset()
  unsubscribe.mockReset()
  vi.unstubAllGlobals()
})

/** Prepares a page whose session data says that nobody is signed in. */
async function prepareVisitorPage(): Promise<void> {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  await prepareForOffline(queries, true)
}

test('A2.4-02 a page that opened without a connection does not forget the profile', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  await prepareVisitorPage()
  expect(setActiveProfile).not.toHaveBeenCalled()
  expect(unsubscribe).not.toHaveBeenCalled()
})

test('A2.4-02 forgets the profile once the service says that the viewer is signed out', async () => {
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  await prepareVisitorPage()
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(null)
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test('ends notifications after a sign-out that has forgotten the profile already', async () => {
  vi.mocked(activeProfile).mockResolvedValue(null)
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  await prepareVisitorPage()
  expect(setActiveProfile).not.toHaveBeenCalled()
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test('A2.4-02 a sign-out forgets the profile, and remembers it again if the session goes on', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  await prepareVisitorPage()
  const forget = vi.mocked(onSignOut).mock.lastCall?.[0]
  const takeBack = await forget?.()
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(null)
  await takeBack?.()
  expect(setActiveProfile).toHaveBeenLastCalledWith(7)
})

test('visitors do not fetch the whole application. A viewer who signs in does', async () => {
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  await prepareForOffline(queries, true)
  expect(register).not.toHaveBeenCalled()
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile: PROFILE })
  await vi.waitFor(() =>
    expect(register).toHaveBeenCalledExactlyOnceWith('/service-worker.js?language=fra&identityKey=demo'),
  )
})

test('V1-13 the native app goes on with downloads without a service worker', async () => {
  vi.mocked(continueDownloads).mockClear()
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true })
  vi.stubGlobal('navigator', {})
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile: PROFILE })
  await prepareForOffline(queries, true)
  expect(removeEnded).toHaveBeenCalledWith(7)
  expect(continueDownloads).toHaveBeenCalledTimes(1)
  expect(register).not.toHaveBeenCalled()
})

test('V4-30 positions in downloads are exchanged at the visit and when the connection returns, and lists show them', async () => {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile: PROFILE })
  await prepareForOffline(queries, true)
  expect(exchangeOwnPositions).toHaveBeenCalledExactlyOnceWith(7)
  queries.setQueryData([homeContent.name], [])
  vi.mocked(exchangeOwnPositions).mockResolvedValueOnce(true)
  window.dispatchEvent(new Event('online'))
  expect(exchangeOwnPositions).toHaveBeenCalledTimes(2)
  await vi.waitFor(() => expect(queries.getQueryState([homeContent.name])?.isInvalidated).toBe(true))
})

test('remembers who watches where downloads are not offered, for notifications', async () => {
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  await prepareForOffline(queries, false)
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(null)
  expect(register).not.toHaveBeenCalled()
})
