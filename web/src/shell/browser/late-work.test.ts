import type { Session } from '@ondine/contract/accounts'
import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideDeviceStore } from '../../api/device-store.ts'
import { configurationQuery } from '../../features/ground/configuration/configuration-query.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { prepareForOffline } from './installed-app.ts'
import { finishStart } from './late-work.ts'

vi.mock('@tanstack/react-start', () => ({
  // Runs the client's function, as a browser would.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))
const signedIn = vi.hoisted((): unknown[] => [])
vi.mock('../../features/rights/subscriptions/sign-in-at-service.ts', () => ({
  signInAtServiceOnce: async (queries: unknown) => void signedIn.push(queries),
}))

const followed = vi.hoisted((): unknown[] => [])
vi.mock('../../features/rights/offers/buy-in-store.ts', () => ({
  followStore: async (queries: unknown) => void followed.push(queries),
}))

const reported = vi.hoisted((): unknown[] => [])
vi.mock('../../features/rights/offers/begun-order.ts', () => ({
  reportBegunOrder: async (queries: unknown) => void reported.push(queries),
}))

vi.mock('./installed-app.ts', () => ({ prepareForOffline: vi.fn() }))

const NOBODY = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 0,
} as const
const SOMEBODY = {
  ...NOBODY,
  account: {
    id: 7,
    firstName: 'Nour',
    lastName: '',
    email: '',
    status: 'ACTIVE',
    tokenExpiresAt: 0,
    isMultiProfile: true,
  },
} as const

beforeEach(() => {
  signedIn.length = 0
  followed.length = 0
  reported.length = 0
  vi.stubGlobal('document', { createElement: () => ({}), head: { append: () => {} } })
  vi.stubGlobal('navigator', {})
})
afterEach(() => {
  vi.mocked(prepareForOffline).mockReset()
  vi.unstubAllGlobals()
})

async function startedAs(
  session: typeof NOBODY | typeof SOMEBODY,
  subscription: Configuration['offers']['subscription'],
): Promise<QueryClient> {
  const queries = new QueryClient()
  const configuration = {
    ...DEFAULT_CONFIGURATION,
    offers: { ...DEFAULT_CONFIGURATION.offers, subscription },
  }
  queries.setQueryData(configurationQuery.queryKey, { configuration, revisions: {}, tag: '' })
  queries.setQueryData(sessionQuery.queryKey, session)
  // `finishStart` reads only this part of a router.
  await finishStart({ options: { context: { queryClient: queries } } } as unknown as AnyRouter)
  return queries
}

test('V4-02 a start signs a signed-in viewer in at the subscription service', async () => {
  const queries = await startedAs(SOMEBODY, 'cleeng-type')
  expect(signedIn).toEqual([queries])
})

test.each(['enabled', 'disabled', 'external'] as const)(
  'V4-02 a start signs nobody in at the service where subscriptions are %s',
  async (subscription) => {
    await startedAs(SOMEBODY, subscription)
    expect(signedIn).toEqual([])
  },
)

test('V4-02 a start signs no visitor in at the service', async () => {
  await startedAs(NOBODY, 'cleeng-type')
  expect(signedIn).toEqual([])
})

test('A4.8-07 a start reports an earlier purchase of a viewer, but asks for none as a child or a visitor', async () => {
  const queries = await startedAs(SOMEBODY, 'enabled')
  expect(reported).toEqual([queries])
  const child = { ...SOMEBODY, profile: { id: 3, kidProfile: true } } as unknown as typeof SOMEBODY
  for (const session of [child, NOBODY]) await startedAs(session, 'enabled')
  expect(reported).toEqual([queries])
})

/** The answer of the service whose configuration has this tag. */
const current = (tag: string) => async () => Response.json({}, { headers: { etag: tag } })

test.each([
  [
    'goes where downloads are not offered any more, and the browser shows no notifications',
    null,
    current('1'),
    1,
  ],
  ['stays in a browser that shows notifications', {}, current('1'), 0],
  [
    'stays without a connection, because the page may have been cached before downloads were offered',
    null,
    async () => await Promise.reject(new TypeError('Failed to fetch')),
    0,
  ],
  ['stays on a page whose configuration has changed meanwhile', null, current('2'), 0],
])('the service worker %s', async (_what, subscription, answer, removals) => {
  vi.stubGlobal('fetch', answer)
  const unregister = vi.fn(async () => true)
  const registration = { unregister, pushManager: { getSubscription: async () => subscription } }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
  vi.stubGlobal('caches', { has: async () => false, keys: async () => [] })
  const queries = new QueryClient()
  const { accounts } = DEFAULT_CONFIGURATION
  const configuration = { ...DEFAULT_CONFIGURATION, accounts: { ...accounts, pushEnabled: true } }
  queries.setQueryData(configurationQuery.queryKey, { configuration, revisions: {}, tag: '1' })
  queries.setQueryData(sessionQuery.queryKey, SOMEBODY)
  await finishStart({ options: { context: { queryClient: queries } } } as unknown as AnyRouter)
  expect(unregister).toHaveBeenCalledTimes(removals)
})

test.each([
  [true, 1],
  [false, 0],
])('V1-05 where downloads of native apps are %s, the app goes on with %s', async (downloadEnabled, times) => {
  // The native app has no service worker, as in the web view of iOS.
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true })
  vi.stubGlobal('caches', { has: async () => false })
  const append = vi.fn()
  vi.stubGlobal('document', { createElement: () => ({}), head: { append } })
  const queries = new QueryClient()
  const { accounts, downloads } = DEFAULT_CONFIGURATION
  const configuration = {
    ...DEFAULT_CONFIGURATION,
    accounts: { ...accounts, pushEnabled: true },
    downloads: { ...downloads, downloadEnabled, downloadWebEnabled: !downloadEnabled },
  }
  queries.setQueryData(configurationQuery.queryKey, { configuration, revisions: {}, tag: '' })
  queries.setQueryData(sessionQuery.queryKey, SOMEBODY)
  await finishStart({ options: { context: { queryClient: queries } } } as unknown as AnyRouter)
  expect(prepareForOffline).toHaveBeenCalledTimes(times)
  expect(append).not.toHaveBeenCalled()
})

const WATCHING: Session = {
  ...SOMEBODY,
  profile: {
    id: 3,
    name: 'Nour',
    language: 'fra',
    picture: null,
    avatarId: null,
    imageId: null,
    kidProfile: false,
    parentalControl: false,
    default: true,
    maximumMoralityLevel: 0,
    settings: {},
  },
}

/** Starts the native app with a store. Last in this file, because a store cannot be removed. */
async function startedWithStore(session: Session): Promise<QueryClient> {
  provideDeviceStore({ provider: 'apple', buy: async () => null, follow: async () => {} })
  const queries = new QueryClient()
  queries.setQueryData(configurationQuery.queryKey, {
    configuration: DEFAULT_CONFIGURATION,
    revisions: {},
    tag: '',
  })
  queries.setQueryData(sessionQuery.queryKey, session)
  await finishStart({ options: { context: { queryClient: queries } } } as unknown as AnyRouter)
  return queries
}

test('A7.3-01 purchases in the store are followed at the start of an app with a profile', async () => {
  const queries = await startedWithStore(WATCHING)
  expect(followed).toEqual([queries])
})

test('A7.3-01 purchases in the store are followed after a later sign-in, once', async () => {
  const queries = await startedWithStore(NOBODY)
  queries.setQueryData(sessionQuery.queryKey, SOMEBODY)
  expect(followed).toEqual([])
  queries.setQueryData(sessionQuery.queryKey, WATCHING)
  await vi.waitFor(() => expect(followed).toEqual([queries]))
  queries.setQueryData(sessionQuery.queryKey, NOBODY)
  queries.setQueryData(sessionQuery.queryKey, WATCHING)
  expect(followed).toEqual([queries])
})
