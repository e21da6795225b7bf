import { expect, test } from 'vitest'
import { ALIASES, REDIRECTS, ROUTES, type RouteName } from '../../../routes.ts'
import { pathOf } from './content-link.ts'
import { routeAt } from './route-at.ts'

test.each(Object.keys(ROUTES) as RouteName[])('%s is found at its own path', (name) => {
  const parameters = { slug: 'la-houle-1', id: 'le-metier-50', type: 'articles' }
  expect(routeAt(pathOf(name, parameters))?.name).toBe(name)
})

test.each<[string, RouteName | undefined, Record<string, string>]>([
  ['/', 'home', {}],
  [ALIASES['home-alias'], 'home', {}],
  [ALIASES['auth-callback-alias'], 'auth-callback', {}],
  ['/live/', 'live', {}],
  ['/channel', 'channel-slug', {}],
  ['/channel/rive-1', 'channel-slug', { slug: 'rive-1' }],
  ['/channel/rive-1/epg', 'channel-events-guide-slug', { slug: 'rive-1' }],
  ['/series', 'series-id', {}],
  ['/series/le-metier-50', 'series-id', { id: 'le-metier-50' }],
  ['/series/le-metier-50/details', 'categories-slug-details', { slug: 'le-metier-50' }],
  ['/offers/cart', 'offers-cart', {}],
  ['/offers/tout-3', 'offers-details', { slug: 'tout-3' }],
  ['/search/caf%C3%A9', 'search', { slug: 'café' }],
  ['/search/100%', 'search', { slug: '100%' }],
  ['/search/filter/genre', 'search-filter', { slug: 'genre' }],
  ['/page', 'page-slug', {}],
  ['/a-propos', 'slug', { slug: 'a-propos' }],
  ['/Offers/CART', 'offers-cart', {}],
  ['/Content/La-Houle-1', 'assets-slug', { slug: 'La-Houle-1' }],
  ['/HOME', 'home', {}],
  ['/nothing/here', undefined, {}],
  ['//example.org', undefined, {}],
  ['/content', 'slug', { slug: 'content' }],
  ['/content/a/b', undefined, {}],
  ['', undefined, {}],
])('the screen at %j', (path, name, parameters) => {
  expect(routeAt(path)).toEqual(name === undefined ? undefined : { name, parameters })
})

test('A2.1-11 A2.1-26 screens that redirect, redirect to screens', () => {
  expect(REDIRECTS).toMatchObject({ account: 'account-devices', library: 'library-rentals' })
  expect(ROUTES['account-devices']).toBe('/account/devices')
  expect(ROUTES['library-rentals']).toBe('/library/rentals')
})
