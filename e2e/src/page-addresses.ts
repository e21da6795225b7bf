import { findAsset, findChannel } from './service-calls.ts'

/** Returns the addresses of one page of each kind, by the kind. */
export async function pageAddresses(origin: string): Promise<Record<string, string>> {
  const home = await (await fetch(origin)).text()
  return {
    home: '/',
    content: '/all-content',
    live: '/live',
    signIn: '/auth/login',
    film: (await findAsset(origin, 'La Houle')).detailRoute,
    episode: (await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })).detailRoute,
    channel: (await findChannel(origin, 'Rive')).detailRoute,
    series: /href="(\/series\/le-metier-\d+\/details)"/.exec(home)?.[1] ?? '',
    category: /href="(\/category\/films-\d+)"/.exec(home)?.[1] ?? '',
  }
}
