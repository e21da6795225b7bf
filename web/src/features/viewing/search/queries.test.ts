import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { listQuery, playlistQuery } from '../../content/catalogue/list-query.ts'
import { resultsQuery } from './queries.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** How long unused data stays in the cache of a browser by default. Elsewhere, it stays for ever. */
const BROWSER_DEFAULT_MS = 300_000
const SIZES = { count: 24, itemsPerPage: 24 }

test.each([
  ['a list', listQuery({ id: 3, sort: 'none', shuffle: 0 })],
  ['a playlist', playlistQuery([3])],
  ['results of a search', resultsQuery({ term: 'mer', type: 'all' }, SIZES)],
])(
  'the pages of %s are still there after a long film',
  async (_, { queryKey, gcTime = BROWSER_DEFAULT_MS }) => {
    vi.useFakeTimers()
    const queries = new QueryClient()
    await queries.prefetchQuery({ queryKey: [queryKey], gcTime, queryFn: () => 'pages' })
    vi.advanceTimersByTime(3.5 * 3_600_000)
    expect(queries.getQueryData([queryKey])).toBe('pages')
    queries.clear()
  },
)
