import { hierarchyQuery } from '@ondine/web/features/content/catalogue/queries'
import { menusQuery } from '@ondine/web/features/ground/menus/menus-query'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepTree } from './start-data.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the client's variant of each function, as in the browser.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('@ondine/web/api/environment', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

const fetched = vi.fn<(address: string) => Promise<Response>>(async () =>
  Response.json({ status: true, result: [] }),
)

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockClear()
  vi.unstubAllGlobals()
})

const menus = () => ({ audience: 'demo fra ', menus: { header: [], footer: [] } })

test('V4-06 new menus, as after a sign-in, have the tree fetched for the next start', async () => {
  const queries = new QueryClient()
  keepTree(queries)
  expect(fetched).not.toHaveBeenCalled()
  queries.setQueryData(menusQuery.queryKey, menus())
  await vi.waitFor(() => expect(queries.getQueryData(hierarchyQuery.queryKey)).toEqual([]))
  expect(fetched.mock.calls.map(([address]) => address)).toEqual(['/proxy/hierarchy'])
  // A second update for the same viewer does not fetch the tree again.
  queries.setQueryData(menusQuery.queryKey, menus())
  expect(fetched).toHaveBeenCalledTimes(1)
})
