import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { withoutPrefix, withPrefix } from '../../api/language-prefix.ts'
import { forgetStart } from '../casting/forget-start.ts'
import { playerPath } from './player-target.ts'
import { replaceAddress } from './replace-address.ts'

const PREFIX = { path: '/en', atRoot: true }

/** Starts a router whose addresses contain the language, as `getRouter` does, at an address. */
async function routerAt(address: string) {
  const root = createRootRoute()
  const children = ['/player', '/auth/login', '/content/$slug'].map((path) =>
    createRoute({ getParentRoute: () => root, path }),
  )
  const router = createRouter({
    routeTree: root.addChildren(children),
    history: createMemoryHistory({ initialEntries: ['/en', address] }),
    isServer: false,
    origin: 'https://ondine.test',
    rewrite: {
      input: ({ url }) => Object.assign(url, { pathname: withoutPrefix(url.pathname, PREFIX) }),
      output: ({ url }) => Object.assign(url, { pathname: withPrefix(url.pathname, PREFIX) }),
    },
  })
  await router.load()
  return router
}

test.each([
  ['the next episode', playerPath('asset', 13, { start: 4 }), '/en/player?asset=13&t=4'],
  [
    'the next downloaded episode',
    playerPath('asset', 13, { offline: true }),
    '/en/player?offline=true&asset=13',
  ],
  ['another channel', playerPath('channel', 2), '/en/player?channel=2'],
  ['the page of the film', '/content/la-houle-12', '/en/content/la-houle-12'],
  ['home', '/', '/en'],
  ['the sign-in', '/auth/login?back=%2Fplayer%3Fasset%3D12', '/en/auth/login?back=%2Fplayer%3Fasset%3D12'],
])('V2.3-08 the player goes to %s in the language of its address', async (_what, path, there) => {
  const router = await routerAt('/en/player?asset=12')
  replaceAddress(router, path)
  await vi.waitFor(() => expect(router.history.location.href).toBe(there))
  expect(router.latestLocation.href).toBe(path)
  expect(router.history.length).toBe(2)
})

test('V2.3-08 the start of a cast film leaves the address of a page with a language', async () => {
  const router = await routerAt('/en/player?asset=12&t=40')
  forgetStart(router)
  await vi.waitFor(() => expect(router.history.location.href).toBe('/en/player?asset=12'))
})

test('a viewer who has left the player stays where they are', async () => {
  const router = await routerAt('/en/content/la-houle-12?t=40')
  forgetStart(router)
  expect(router.history.location.href).toBe('/en/content/la-houle-12?t=40')
})
