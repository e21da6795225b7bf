import { homeContent } from '@ondine/contract/catalogue'
import type { Channel, Item } from '@ondine/contract/entities'
import {
  addFavoriteAsset,
  addFavoriteChannel,
  removeFavoriteAsset,
  removeFavoriteChannel,
} from '@ondine/contract/favourites'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { channelsQuery } from '../channels/queries.ts'
import { favouriteChannelsQuery, favouriteTitlesQuery } from './favourites-query.ts'

/** What can be a favourite. */
export type FavouriteThing = { idAsset: number } | { idCategory: number } | { idChannel: number }

/** Whether something is among the favourite titles of a profile. */
export function isAmongTitles(thing: FavouriteThing, titles: readonly Item[]): boolean {
  return titles.some((item) =>
    'idAsset' in thing
      ? item.type === 'asset' && item.payload.idAsset === thing.idAsset
      : 'idCategory' in thing && item.type === 'category' && item.payload.idCatalog === thing.idCategory,
  )
}

/** Whether something is among the favourite channels of a profile. */
export function isAmongChannels(
  thing: FavouriteThing,
  channels: readonly Pick<Channel, 'idChannel'>[],
): boolean {
  return 'idChannel' in thing && channels.some(({ idChannel }) => idChannel === thing.idChannel)
}

/**
 * Takes something out of the favourites of the profile that watches, or adds it; the list is asked for anew (V4-47).
 *
 * @param isFavourite whether it is one so far
 * @throws ApiError
 */
export async function changeFavourite(
  queries: QueryClient,
  thing: FavouriteThing,
  isFavourite: boolean,
): Promise<void> {
  const isChannel = 'idChannel' in thing
  try {
    if (isChannel) await call(isFavourite ? removeFavoriteChannel : addFavoriteChannel, thing)
    else await call(isFavourite ? removeFavoriteAsset : addFavoriteAsset, thing)
  } finally {
    const stale = isChannel
      ? [favouriteChannelsQuery.queryKey, channelsQuery.queryKey]
      : // Home has a rail of them.
        [favouriteTitlesQuery.queryKey, [homeContent.name]]
    await Promise.all(stale.map(async (queryKey) => await queries.invalidateQueries({ queryKey })))
  }
}
