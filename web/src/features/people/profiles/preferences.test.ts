import { changeProfileSettings, type Profile } from '@ondine/contract/profiles'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sessionQuery } from '../../ground/session/session.ts'
import { prefer } from './preferences.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

/** Makes a profile active. */
function watches(queries: QueryClient, id: number): void {
  const profile: Profile = {
    id,
    name: `Profile ${id}`,
    language: 'fra',
    picture: null,
    avatarId: null,
    imageId: null,
    kidProfile: false,
    parentalControl: false,
    default: id === 1,
    maximumMoralityLevel: 0,
    settings: {},
  }
  const storefront = { name: 'Ondine', demonstration: false }
  queries.setQueryData(sessionQuery.queryKey, { account: null, profile, storefront, now: 0 })
}

test("A3-10 does not store a profile's pending choice in the next active profile", async () => {
  const queries = new QueryClient()
  watches(queries, 1)
  const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>()
  fetched.mockImplementation(async () => {
    await answered
    return Response.json({ status: true, result: { layoutMode: 'list' } })
  })
  const first = prefer(queries, { layoutMode: 'list' })
  const second = prefer(queries, { layoutMode: 'grid' })
  await expect.poll(() => fetched.mock.calls.length).toBe(1)
  watches(queries, 2)
  const third = prefer(queries, { audioLanguage: 'eng' })
  answer(undefined)
  await Promise.all([first, second, third])
  const sent = fetched.mock.calls.map(([path, { body }]) => [
    path,
    body instanceof URLSearchParams ? body.get('settings') : undefined,
  ])
  expect(sent).toEqual([
    [changeProfileSettings.path, expect.stringContaining('list')],
    [changeProfileSettings.path, expect.stringContaining('eng')],
  ])
})
