import { idOfSlug } from '@ondine/contract/slugs'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../../routes.ts'
import { pathOf, resolveAddress, resolveContentLink } from './content-link.ts'

describe('content links by kind', () => {
  test.each([
    ['V2.2-01 a live channel', { kind: 'live_channel', id: 4, label: 'Onde 4' }, '/channel/onde-4-4'],
    ['V2.2-02 a broadcast', { kind: 'live_broadcast', id: 9, label: 'Grand Soir' }, '/epg/grand-soir-9'],
    [
      'V2.2-02 a category',
      { kind: 'vod_category', id: 10, label: 'Films à la une' },
      '/category/films-a-la-une-10',
    ],
    ['V2.2-02 an asset', { kind: 'vod_asset', id: 1, label: 'La Houle' }, '/content/la-houle-1'],
    ['V2.2-02 an offer', { kind: 'offer', id: 3, label: 'Tout' }, '/offers'],
    ['V2.2-03 a series', { kind: 'series', id: 50, label: 'Le Métier' }, '/series/le-metier-50/details'],
    [
      'V2.2-04 a season carries its series',
      { kind: 'season', id: 52, label: 'Saison 2', parent: { id: 50, label: 'Le Métier' } },
      '/series/le-metier-50/details?seasonid=52',
    ],
    [
      'V2.2-05 an editorial section',
      { kind: 'editorial_section', id: 1, label: 'x', type: 'lifestyle', slug: 'la mer' },
      '/read/lifestyle/la%20mer',
    ],
  ])('%s', (_clause, link, path) => {
    expect(resolveContentLink(link)).toBe(path)
  })

  test('an editorial section without its slug, and an unknown kind, have no path', () => {
    expect(
      resolveContentLink({ kind: 'editorial_section', id: 1, label: 'x', type: 'lifestyle' }),
    ).toBeUndefined()
    expect(resolveContentLink({ kind: '__proto__', id: 1, label: 'x' })).toBeUndefined()
  })

  test('a title without letters leaves only the id', () => {
    expect(resolveContentLink({ kind: 'vod_asset', id: 7, label: ' !? ' })).toBe('/content/7')
  })
})

describe('addresses', () => {
  test.each([
    ['V2.2-06 page/{slug}', 'page/faq', '/page/faq'],
    ['V2.2-07 assets/{id}', 'assets/12', '/content/12'],
    ['V2.2-07 categories/{id}', 'categories/10', '/category/10'],
    ['V2.2-07 categories/{id}/index', 'categories/10/index', '/category/10'],
    ['V2.2-07 player/channel/{id}', 'player/channel/4', '/channel/4'],
    ['V2.2-08 editorial/{id}', 'editorial/77', '/read/articles/77'],
    ['V2.2-08 articles/{id}', 'articles/77', '/read/articles/77'],
    ['V2.2-08 articles', 'articles', '/read/articles'],
    ['V2.2-08 offers/{id}', 'offers/3', '/offers/3'],
    ['V2.2-09 the name of a route', 'account-devices', '/account/devices'],
    ['V2.2-09 a name with an optional parameter', 'channel-slug', '/channel'],
    ['V2.2-06 a path', '/live', '/live'],
    ['V2.2-06 anything else', 'somewhere/else', '/somewhere/else'],
    ['V2.2-02 a content link in one line', '{vod_asset/12/La Houle}', '/content/la-houle-12'],
    ['V2.2-01 a content link without its title', 'live_channel/4', '/channel/4'],
    ['V2.2-02 a title with a slash', '{vod_asset/12/Face/Off}', '/content/face-off-12'],
    ['V2.2-12 a title with a slash', 'ondine-content:vod_asset/12/Nip/Tuck ?', '/content/nip-tuck-12'],
    ['V2.2-04 a season with its series', '{season/52/50}', '/series/50/details?seasonid=52'],
    ['V2.2-04 a season with its title', '{season/52/50/Saison 2}', '/series/50/details?seasonid=52'],
    ['V2.2-05 a section', '{editorial_section/lifestyle/la mer}', '/read/lifestyle/la%20mer'],
    ['V2.2-06 a page with a fragment', 'page/faq#ou', '/page/faq#ou'],
    ['V2.2-07 a form with a query', 'assets/12?t=3', '/content/12?t=3'],
    ['V2.2-09 the name of a route with a query', 'live?day=2#now', '/live?day=2#now'],
    ['V2.2-12 the scheme for content', 'ondine-content:series/50/Le Métier', '/series/le-metier-50/details'],
    ['V2.2-06 braces around a content link', '{page/faq}', '/page/faq'],
  ])('%s', (_clause, address, path) => {
    expect(resolveAddress(address)).toEqual({ kind: 'internal', path })
  })

  test.each([
    'https://example.org/a',
    'http://example.org',
    'mailto:a@example.org',
    'ondine://open',
    'ondine-content:nothing',
    '//example.org',
  ])('V2.2-16 an address with a scheme opens a new window: %s', (url) => {
    expect(resolveAddress(url)).toEqual({ kind: 'external', url, newWindow: true })
  })

  test('V2.2-17 in the footer an external link stays in the same window', () => {
    expect(resolveAddress('https://example.org', 'footer')).toMatchObject({ newWindow: false })
  })

  test('V2.2-16 an internal path that contains an address is not an external link (spec 6)', () => {
    expect(resolveAddress('/search/https:x')).toEqual({ kind: 'internal', path: '/search/https:x' })
  })
})

describe('addresses of menu entries', () => {
  test('V2.2-10 a path is a link of this site, and / is home', () => {
    expect(resolveAddress('/')).toEqual({ kind: 'internal', path: ROUTES.home })
    expect(resolveAddress('/live')).toEqual({ kind: 'internal', path: '/live' })
  })
  test.each(['http://example.org', 'https://example.org', 'mailto:a@example.org', 'ondine://x'])(
    'V2.2-11 %s is external',
    (address) => {
      expect(resolveAddress(address).kind).toBe('external')
    },
  )
})

test('every route of the table has its own path', () => {
  expect(new Set(Object.values(ROUTES)).size).toBe(Object.keys(ROUTES).length)
})

test('V2.1-25 the catch-all is last, and fixed segments come before parameters (spec 3)', () => {
  const paths = Object.values(ROUTES)
  expect(paths.at(-1)).toBe('/:slug')
  expect(paths.indexOf('/offers/cart')).toBeLessThan(paths.indexOf('/offers/:slug'))
  expect(paths.indexOf('/search/filter/:slug')).toBeLessThan(paths.indexOf('/search/:slug'))
})

test('V2.1-23 omits the segment of an optional parameter', () => {
  expect(pathOf('series-id')).toBe('/series')
  expect(pathOf('series-id', { id: 'le-metier-50' })).toBe('/series/le-metier-50')
})

test.each([
  ['films-10', 10],
  ['films_10', 10],
  ['films_a-10', 10],
  ['10', 10],
  ['ville-basse-2', 2],
  ['films', undefined],
  ['films-', undefined],
  ['films-0', undefined],
  ['films-1e3', undefined],
  ['films--1', 1],
  ['films-12345678901', undefined],
])('V2.1-06 returns the id of the slug %s', (slug, id) => {
  expect(idOfSlug(slug)).toBe(id)
})
