import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { createRequestHandler } from '@tanstack/react-router/ssr/server'
import { expect, test } from 'vitest'
import { configurationQuery } from '../features/ground/configuration/configuration-query.ts'
import { ROUTES } from '../routes.ts'
import { guarded } from './guarded.ts'

/** Requests a page of a private service as a visitor, through a router with the routes of the site. */
async function requestPage(address: string): Promise<{ status: number; location: string | null }> {
  const queryClient = new QueryClient()
  const accounts = { ...DEFAULT_CONFIGURATION.accounts, isPrivateAccessEnabled: true }
  const configuration = { ...DEFAULT_CONFIGURATION, accounts }
  queryClient.setQueryData(configurationQuery.queryKey, { configuration, revisions: {}, tag: '' })
  const root = createRootRoute({ beforeLoad: ({ location }) => guarded(queryClient, location) })
  const routes = Object.values(ROUTES).map((route) => {
    const path = route.replaceAll(/:(\w+)\?/g, '{-$$$1}').replaceAll(':', '$')
    return createRoute({ getParentRoute: () => root, path })
  })
  const handle = createRequestHandler({
    request: new Request(`http://localhost${address}`),
    createRouter: () => createRouter({ routeTree: root.addChildren(routes) }),
  })
  const { status, headers } = await handle(() => new Response())
  return { status, location: headers.get('location') }
}

test.each([
  ['/Legal', '/legal'],
  ['/LEGAL?page=B', '/legal?page=B'],
  ['/resetpassword?token=aB', '/resetPassword?token=aB'],
  ['/Account/Devices', '/account/devices'],
  ['/Content/La-Houle-1?b=X', '/content/La-Houle-1?b=X'],
  ['/Channel/Rive-1/EPG', '/channel/Rive-1/epg'],
  ['/EPG', '/epg'],
])('V2.1 %s redirects to %s, and parameters keep their case', async (address, location) => {
  expect(await requestPage(address)).toEqual({ status: 301, location })
})

test.each(['/Search/caf%C3%A9', '/account/devices', '/a/b'])(
  'V2.3-05 the guard of private access holds at %s',
  async (address) => {
    const { status, location } = await requestPage(address)
    expect(status).toBe(307)
    expect(location).toMatch(/^\/auth\/login\?back=/)
  },
)

test.each(['/auth/login', '/auth/callback', '/oauth/generic/callback'])(
  'V2.3-05 the sign-in is open at %s',
  async (address) => {
    const { location } = await requestPage(address)
    expect(location).toBeNull()
  },
)
