import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/api-error.ts'
import { hierarchyQuery } from '../features/content/catalogue/queries.ts'
import { configurationQuery } from '../features/ground/configuration/configuration-query.ts'
import { startSession, startShell } from './start-order.ts'

vi.mock('@tanstack/react-start', () => ({
  // Runs the client's function, as a browser would.
  createIsomorphicFn: () => ({
    server: () => ({ client: (run: unknown) => run }),
    client: (run: unknown) => run,
  }),
}))
vi.mock('../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

const ANSWERS: Record<string, unknown> = {
  '/configuration/demo/data/revisions.json': { configuration: 1 },
  '/configuration/demo/data/configuration.json': DEFAULT_CONFIGURATION,
  '/proxy/session': { status: true, result: { account: null, profile: null } },
  '/proxy/hierarchy': { status: true, result: [] },
  '/graphql': { data: { publication: { header: [], footer: [] } } },
}

/** Requests and answers, in the order in which they occur. */
let steps: string[] = []
let broken: string | undefined

beforeEach(() => {
  steps = []
  broken = undefined
  vi.stubGlobal('fetch', async (path: string) => {
    steps.push(`asks ${path}`)
    // Delays the answer. A caller that does not wait for the answer would send its next request before the answer
    // arrives.
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(`has ${path}`)
    return path === broken ? new Response('', { status: 503 }) : Response.json(ANSWERS[path])
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

async function start(queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })) {
  await startSession(queries)
  await startShell(queries)
}

test('V4-01 requests the configuration first, then the session, then menus and the tree of the catalogue', async () => {
  await start()
  expect(steps.slice(0, 6)).toEqual([
    'asks /configuration/demo/data/revisions.json',
    'has /configuration/demo/data/revisions.json',
    'asks /configuration/demo/data/configuration.json',
    'has /configuration/demo/data/configuration.json',
    'asks /proxy/session',
    'has /proxy/session',
  ])
  expect(new Set(steps.slice(6, 8))).toEqual(new Set(['asks /proxy/hierarchy', 'asks /graphql']))
})

test('V4-01 does not wait for a configuration that is part of the page', async () => {
  const queries = new QueryClient()
  queries.setQueryData(configurationQuery.queryKey, {
    configuration: DEFAULT_CONFIGURATION,
    revisions: {},
    tag: '',
  })
  await start(queries)
  expect(steps[0]).toBe('asks /proxy/session')
})

test.each(['/configuration/demo/data/revisions.json', '/proxy/session'])(
  'V4-01 without %s sends no later request',
  async (path) => {
    broken = path
    await expect(start()).rejects.toBeInstanceOf(ApiError)
    expect(steps.at(-1)).toBe(`has ${path}`)
  },
)

test('V7-04 requests the tree once, however long the page stays open', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } })
  await start(queries)
  vi.setSystemTime(new Date('2026-11-21T12:00:00Z'))
  const leave = new QueryObserver(queries, hierarchyQuery).subscribe(() => {})
  await vi.waitFor(() => expect(queries.isFetching()).toBe(0))
  leave()
  vi.useRealTimers()
  expect(steps.filter((step) => step === 'asks /proxy/hierarchy')).toHaveLength(1)
})

test('a page works without menus, but not without the tree', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  broken = '/graphql'
  await start()
  broken = '/proxy/hierarchy'
  await expect(start()).rejects.toBeInstanceOf(ApiError)
})
