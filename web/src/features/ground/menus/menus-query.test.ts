import type { Publication } from '@ondine/contract/publication'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionQuery } from '../session/session.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({
    server: () => ({ client: (run: unknown) => run }),
    client: (run: unknown) => run,
  }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

const MENUS: Publication = {
  header: [{ title: 'Horreur', reference: '/categories/1', image: '', content: [] }],
  footer: [],
}
const NONE: Publication = { header: [], footer: [] }
const CHILD = { kidProfile: true, maximumMoralityLevel: 2 }

let isDown = false

beforeEach(() => {
  isDown = false
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('fetch', async () =>
    isDown ? new Response('', { status: 503 }) : Response.json({ data: { publication: MENUS } }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Returns the query of the menus with empty caches, as in a new process or on a newly opened page. */
async function freshQuery() {
  vi.resetModules()
  return (await import('./menus-query.ts')).menusQuery
}

test('keeps the page’s menus when they cannot be fetched again, but only for the same audience', async () => {
  const brought = await new QueryClient().fetchQuery(await freshQuery())
  const query = await freshQuery()
  const inBrowser = async (profile: typeof CHILD | null) => {
    const queries = new QueryClient()
    queries.setQueryData([...query.queryKey], brought)
    queries.setQueryData([...sessionQuery.queryKey], { account: null, profile })
    return query.select?.(await queries.fetchQuery(query))
  }
  isDown = true
  expect(await inBrowser(null)).toEqual(MENUS)
  expect(await inBrowser(CHILD)).toEqual(NONE)
  isDown = false
  expect(await inBrowser(CHILD)).toEqual(MENUS)
})
