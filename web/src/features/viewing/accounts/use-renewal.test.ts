import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionQuery } from '../../ground/session/session.ts'
import { renew } from './use-renewal.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

const fetched = vi.fn<() => Promise<Response>>()
const queries = new QueryClient()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  queries.setQueryData(sessionQuery.queryKey, {
    account: null,
    profile: null,
    storefront: { name: 'Ondine', demonstration: false },
    now: 0,
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const isStale = () => queries.getQueryState(sessionQuery.queryKey)?.isInvalidated

test('A4.4-02 a renewed token has the session read again', async () => {
  fetched.mockResolvedValueOnce(Response.json({ status: true, result: { expiresIn: 60 } }))
  await renew(queries)
  expect(isStale()).toBe(true)
})

test('V4-06 A4.4-02 a token that is due without a connection is no error, and leaves the viewer signed in', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await renew(queries)
  expect(isStale()).toBe(false)
})

test('A4.4-05 a refused renewal is an error', async () => {
  fetched.mockResolvedValueOnce(
    Response.json({ status: false, error: { code: -500, message: '' } }, { status: 500 }),
  )
  await expect(renew(queries)).rejects.toMatchObject({ code: -500 })
})
