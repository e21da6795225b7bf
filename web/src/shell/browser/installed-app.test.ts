import { homeContent } from '@ondine/contract/catalogue'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeEnded } from '../../features/content/downloads/ended-downloads.ts'
import { exchangeOwnPositions } from '../../features/content/downloads/exchange-positions.ts'
import { continueDownloads } from '../../features/content/downloads/run-downloads.ts'
import { activeProfile, setActiveProfile } from '../../features/content/downloads/store.ts'
import { configurationQuery } from '../../features/ground/configuration/configuration-query.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
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
vi.mock('../../features/ground/errors/report-fault.ts', () => ({ reportFault: vi.fn() }))
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
/** Data of the notifications that are shown. */
let shown: unknown[] = []
/** A fake service worker registration with a subscription to notifications, and some that are shown. */
const registration = {
  pushManager: { getSubscription: async () => ({ unsubscribe }) },
  getNotifications: async () =>
    shown.map((data) => ({
      data,
      close: () => {
        shown = shown.filter((other) => other !== data)
      },
    })),
}

beforeEach(() => {
  vi.useFakeTimers()
  shown = []
  vi.mocked(activeProfile).mockResolvedValue(7)
  vi.stubGlobal('fetch', fetched)
  const getRegistration = async () => registration
  vi.stubGlobal('navigator', { serviceWorker: { register, getRegistration } })
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.mocked(reportFault).mockClear()
  vi.mocked(removeEnded).mockReset()
  vi.mocked(continueDownloads).mockClear()
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
  queries.setQueryData(configurationQuery.queryKey, {
    configuration: DEFAULT_CONFIGURATION,
    revisions: {},
    tag: 'current',
  })
  await prepareForOffline(queries, true)
  expect(register).not.toHaveBeenCalled()
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile: PROFILE })
  await vi.waitFor(() =>
    expect(register).toHaveBeenCalledExactlyOnceWith(
      '/service-worker.js?language=fra&identityKey=demo&configuration=current',
    ),
  )
})

test('V1-13 the native app goes on with downloads without a service worker', async () => {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true })
  vi.stubGlobal('navigator', {})
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile: PROFILE })
  await prepareForOffline(queries, true)
  expect(removeEnded).toHaveBeenCalledWith(7)
  expect(continueDownloads).toHaveBeenCalledTimes(1)
  expect(register).not.toHaveBeenCalled()
})

/** Prepares a page of a signed-in viewer. */
async function prepareViewerPage(): Promise<void> {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, { ...NOBODY, profile: PROFILE })
  await prepareForOffline(queries, true)
}

test('A4.2-05 a removal without a connection is completed when the connection returns, after the exchange of positions', async () => {
  await prepareViewerPage()
  expect(removeEnded).toHaveBeenCalledTimes(1)
  const exchanged = Promise.withResolvers<boolean>()
  vi.mocked(exchangeOwnPositions).mockReturnValueOnce(exchanged.promise)
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(0)
  expect(removeEnded).toHaveBeenCalledTimes(1)
  exchanged.resolve(false)
  await vi.waitFor(() => expect(removeEnded).toHaveBeenCalledTimes(2))
  expect(removeEnded).toHaveBeenLastCalledWith(7)
})

test('spec 39 a page that stays open checks the rights to its downloads every hour', async () => {
  await prepareViewerPage()
  await vi.advanceTimersByTimeAsync(2 * 3_660_000)
  expect(removeEnded).toHaveBeenCalledTimes(3)
})

test.each([
  ['the service worker is not registered', () => register.mockRejectedValueOnce(new TypeError('refused'))],
  [
    'positions are not exchanged',
    () => vi.mocked(exchangeOwnPositions).mockRejectedValueOnce(new DOMException('', 'InvalidStateError')),
  ],
  [
    'ended downloads are not found',
    () => vi.mocked(removeEnded).mockRejectedValueOnce(new Error('Database')),
  ],
])('A4.2-05 downloads go on where %s', async (_what, failOnce) => {
  failOnce()
  await prepareViewerPage()
  expect(removeEnded).toHaveBeenCalledTimes(1)
  expect(continueDownloads).toHaveBeenCalledTimes(1)
  expect(reportFault).toHaveBeenCalledTimes(1)
})

test('another device that deletes the active profile does not end the notifications of the other profiles', async () => {
  const account = {
    id: 5,
    firstName: 'Nour',
    lastName: '',
    email: '',
    status: 'ACTIVE',
    tokenExpiresAt: 0,
    isMultiProfile: true,
  }
  fetched.mockResolvedValue(Response.json({ status: true, result: { ...NOBODY, account } }))
  await prepareVisitorPage()
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(null)
  expect(unsubscribe).not.toHaveBeenCalled()
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

const OF_ACTIVE = { path: '/live', profileId: 7 }
const OF_OTHER = { path: '/live', profileId: 8 }
const WITHOUT_TITLE = { path: '/', profileId: null }
/** Earlier workers did not store the profile. */
const OF_UNKNOWN = '/library/completed-records'

test('a change of the active profile closes the notifications that name titles of another profile', async () => {
  shown = [OF_ACTIVE, OF_OTHER, WITHOUT_TITLE, OF_UNKNOWN]
  await prepareViewerPage()
  expect(shown).toHaveLength(4)
  vi.mocked(activeProfile).mockResolvedValue(8)
  await prepareViewerPage()
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(7)
  expect(shown).toEqual([OF_ACTIVE, WITHOUT_TITLE])
})

test('a sign-out closes all notifications at once', async () => {
  await prepareViewerPage()
  shown = [OF_ACTIVE, WITHOUT_TITLE]
  await vi.mocked(onSignOut).mock.lastCall?.[0]()
  expect(shown).toEqual([])
})

test('a sign-out on another device closes all notifications', async () => {
  shown = [OF_ACTIVE, WITHOUT_TITLE]
  fetched.mockResolvedValue(Response.json({ status: true, result: NOBODY }))
  await prepareVisitorPage()
  expect(shown).toEqual([])
})
