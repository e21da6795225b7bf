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
    'is there, of which a part is shown',
    (queries) => queries.setQueryData(KEY, { name: 'é' }),
    { select: Object.keys },
  ],
  [
    'is there under a known hash',
    (queries) => queries.setQueryData(KEY, 1),
    { queryHash: library.hashKey(KEY) },
  ],
  ['is there and not asked for', (queries) => queries.setQueryData(KEY, 0), { enabled: false }],
  ['is there for good', (queries) => queries.setQueryData(KEY, 1), { staleTime: Number.POSITIVE_INFINITY }],
  ['is old', (queries) => queries.setQueryData(KEY, 1, { updatedAt: Date.now() - 2 * MINUTE_MS }), {}],
  ['is never fresh', (queries) => queries.setQueryData(KEY, 1), { staleTime: 0 }],
  ['is another’s', (queries) => queries.setQueryData(['other'], 1), {}],
  ['is not there', () => undefined, {}],
  ['is not there and not asked for', () => undefined, { enabled: false }],
  ['is not there and must not be asked for', () => undefined, { queryFn: library.skipToken }],
  ['is not there, and may be asked for', () => undefined, { enabled: () => true }],
  ['is not there, and something stands in', () => undefined, { placeholderData: 'soon' }],
  ['is not there, and there is something to begin with', () => undefined, { initialData: 'first' }],
  ['has failed', async (queries) => await queries.prefetchQuery({ queryKey: KEY, queryFn: failing }), {}],
  [
    'was there and has failed since',
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
