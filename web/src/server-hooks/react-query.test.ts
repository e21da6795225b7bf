import * as library from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import * as own from './react-query.ts'

const MINUTE_MS = 60_000

/** The fields of a query that the screens read. */
function Shown({ hooks, options }: { hooks: typeof library; options: library.UseQueryOptions }) {
  const { data, error, status, fetchStatus, isError, isFetching, isLoading } = hooks.useQuery(options)
  return JSON.stringify({ data, error, status, fetchStatus, isError, isFetching, isLoading })
}

function ShownSuspended({
  hooks,
  options,
}: {
  hooks: typeof library
  options: library.UseSuspenseQueryOptions
}) {
  const { data, status, isFetching } = hooks.useSuspenseQuery(options)
  return JSON.stringify({ data, status, isFetching })
}

const KEY = ['session']
const failing = async () => await Promise.reject(new Error('no answer'))

function client(): library.QueryClient {
  return new library.QueryClient({ defaultOptions: { queries: { staleTime: MINUTE_MS, retry: false } } })
}

function draw(queries: library.QueryClient, page: ReactNode): string {
  return renderToString(createElement(library.QueryClientProvider, { client: queries }, page))
}

test.each<[what: string, prepare: (queries: library.QueryClient) => unknown, more: object]>([
  ['is there', (queries) => queries.setQueryData(KEY, { name: 'é' }), {}],
  [
    'is there and goes through `select`',
    (queries) => queries.setQueryData(KEY, { name: 'é' }),
    { select: Object.keys },
  ],
  [
    'is there under a known hash',
    (queries) => queries.setQueryData(KEY, 1),
    { queryHash: library.hashKey(KEY) },
  ],
  ['is there with a disabled query', (queries) => queries.setQueryData(KEY, 0), { enabled: false }],
  [
    'is there and never stale',
    (queries) => queries.setQueryData(KEY, 1),
    { staleTime: Number.POSITIVE_INFINITY },
  ],
  ['is stale', (queries) => queries.setQueryData(KEY, 1, { updatedAt: Date.now() - 2 * MINUTE_MS }), {}],
  ['is always stale', (queries) => queries.setQueryData(KEY, 1), { staleTime: 0 }],
  ['belongs to another key', (queries) => queries.setQueryData(['other'], 1), {}],
  ['is missing', () => undefined, {}],
  ['is missing with a disabled query', () => undefined, { enabled: false }],
  ['is missing with a skip token', () => undefined, { queryFn: library.skipToken }],
  ['is missing with an enabled query', () => undefined, { enabled: () => true }],
  ['is missing with a placeholder', () => undefined, { placeholderData: 'soon' }],
  ['is missing with initial data', () => undefined, { initialData: 'first' }],
  ['has failed', async (queries) => await queries.prefetchQuery({ queryKey: KEY, queryFn: failing }), {}],
  [
    'was there, and failed since then',
    async (queries) => {
      queries.setQueryData(KEY, 1, { updatedAt: 1 })
      await queries.prefetchQuery({ queryKey: KEY, queryFn: failing })
    },
    {},
  ],
])('renders the same as the library’s own hook with data that %s', async (_what, prepare, more) => {
  const queries = client()
  await prepare(queries)
  const options = { queryKey: KEY, queryFn: async () => await Promise.resolve('asked'), ...more }
  expect(draw(queries, createElement(Shown, { hooks: own, options }))).toBe(
    draw(queries, createElement(Shown, { hooks: library, options })),
  )
})

test('renders the same as the library’s own suspense hook with existing data', () => {
  const queries = client()
  queries.setQueryData(KEY, [1, 2])
  const options = { queryKey: KEY, queryFn: async () => await Promise.resolve('asked') }
  const drawn = draw(queries, createElement(ShownSuspended, { hooks: own, options }))
  expect(drawn).toBe(draw(queries, createElement(ShownSuspended, { hooks: library, options })))
  expect(drawn).toContain('[1,2]')
})
