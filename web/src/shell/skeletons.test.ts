import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const ROUTES = join(import.meta.dirname, '../routes')

/** Routes by their skeleton, which is shown while they load, and has the shape of their page. */
const SKELETONS: Record<string, string[]> = {
  // A picture that fills the screen, then rails.
  PageSkeleton: ['home', 'landing'],
  // A large picture, then the details of its title.
  AssetSkeleton: ['assets-slug'],
  SeriesSkeleton: ['categories-slug-details'],
  ChannelSkeleton: ['channel-slug'],
  LiveSkeleton: ['live', 'live-zoom'],
  ProgrammeSkeleton: ['epg-slug'],
  // A heading and a grid of cards.
  ListSkeleton: [
    'account-continue',
    'account-favorites',
    'account-lives',
    'account-products',
    'assets',
    'category',
    'category-slug',
    'disciplines-slug',
    'editorial-type',
    'library-completed-records',
    'library-past',
    'library-rentals',
    'library-scheduled-records',
    'live-events-guide-slug',
    'offers',
    'register-offers',
    'search',
    'search-filter',
    'series-id',
  ],
  TextSkeleton: [
    'editorial-type-slug',
    'legal',
    'offers-cart',
    'offers-checkout',
    'offers-confirmation',
    'offers-details',
    'page-slug',
    'slug',
  ],
  FormSkeleton: ['account-devices', 'account-informations', 'account-parental-code', 'account-security'],
  RegistrationSkeleton: ['register-informations'],
  GuideSkeleton: ['epg'],
  DaySkeleton: ['channel-events-guide-slug'],
}

/** Routes without a skeleton: the page frame, the 404 page, the design gallery, and the player's black screen. */
const WITHOUT = ['design', 'player', 'shell', 'unknown']

test('every route that loads data has a skeleton with the shape of its page', () => {
  const named = globSync('*.tsx', { cwd: ROUTES }).flatMap((file) => {
    const source = readFileSync(join(ROUTES, file), 'utf8')
    const [, skeleton] = /\bpendingComponent: (\w+)/.exec(source) ?? []
    return /\bloader:/.test(source) ? [[basename(file, '.tsx'), skeleton] as const] : []
  })
  const wanted = [
    ...Object.entries(SKELETONS).flatMap(([skeleton, routes]) =>
      routes.map((each) => [each, skeleton] as const),
    ),
    ...WITHOUT.map((each) => [each, undefined] as const),
  ]
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(wanted))
})
