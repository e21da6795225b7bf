import { hierarchy } from '@ondine/contract/catalogue'
import { availableOffers } from '@ondine/contract/offers'
import { slugWithId } from '@ondine/contract/slugs'
import { ROUTES, type RouteName } from '@ondine/web/routes'
import { call, findAsset, findChannel } from './service-calls.ts'

/** The names of all screens. */
export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[]

/** Screens that require a sign-in. */
export const OWN = ROUTE_NAMES.filter((name) =>
  /^(account|library|offers-(cart|checkout|confirmation))/.test(name),
)
/** Screens that are closed to signed-in viewers. */
export const WAYS_IN = ROUTE_NAMES.filter((name) => name.startsWith('auth-'))

/**
 * Returns the path of every screen. The parameters have values from the demonstration. Without such a value, an
 * optional last parameter is `x-1`, and any other parameter is `articles`.
 */
export async function routeAddresses(origin: string): Promise<Record<RouteName, string>> {
  const [film, channel, tree, guide, offers] = await Promise.all([
    findAsset(origin, 'La Houle'),
    findChannel(origin, 'Rive'),
    call(origin, hierarchy, {}),
    fetch(origin + ROUTES.epg).then((answer) => answer.text()),
    call(origin, availableOffers, { offerType: 'subscription', contentType: 'VOD_ASSET' }),
  ])
  const series = tree.flatMap(({ categories }) => categories).find(({ isSerie }) => isSerie)
  const things: Partial<Record<RouteName, string | undefined>> = {
    'assets-slug': lastPart(film.detailRoute),
    'category-slug': lastPart(tree.find(({ isSerie }) => !isSerie)?.detailRoute ?? ''),
    // The address comes from the tree of categories and not from the links of home, because home possibly has no
    // series.
    'categories-slug-details': series?.detailRoute.split('/').at(-2),
    'series-id': '',
    'channel-slug': lastPart(channel.detailRoute),
    'channel-events-guide-slug': lastPart(channel.detailRoute),
    'epg-slug': /href="\/epg\/([^"/?]+-\d+)"/.exec(guide)?.[1],
    'live-events-guide-slug': 'all',
    'offers-details': offers.map(({ title, idOption }) => slugWithId(title, idOption))[0],
    'page-slug': 'faq',
    search: 'houle',
  }
  const addressOf = (name: RouteName) =>
    ROUTES[name]
      .replaceAll(/\/:\w+\?$/g, things[name] === '' ? '' : `/${things[name] ?? 'x-1'}`)
      .replaceAll(/:\w+\??/g, things[name] ?? 'articles')
  return Object.fromEntries(ROUTE_NAMES.map((name) => [name, addressOf(name)])) as Record<RouteName, string>
}

function lastPart(path: string): string {
  return path.split('/').at(-1) ?? ''
}
