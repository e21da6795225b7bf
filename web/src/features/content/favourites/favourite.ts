import { homeContent } from '@ondine/contract/catalogue'
import type { Channel, Item } from '@ondine/contract/entities'
import {
  addFavoriteAsset,
  addFavoriteChannel,
  removeFavoriteAsset,
  removeFavoriteChannel,
} from '@ondine/contract/favourites'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { channelsQuery } from '../line-up/queries.ts'
import { favouriteChannelsQuery, favouriteTitlesQuery } from './favourites-query.ts'

/** An item that can be a favourite. */
export type FavouriteThing = { idAsset: number } | { idCategory: number } | { idChannel: number }

/** Returns whether an item is among a profile's favourite titles. */
export function isAmongTitles(thing: FavouriteThing, titles: readonly Item[]): boolean {
  return titles.some((item) =>
    'idAsset' in thing
      ? item.type === 'asset' && item.payload.idAsset === thing.idAsset
      : 'idCategory' in thing && item.type === 'category' && item.payload.idCatalog === thing.idCategory,
  )
}

/** Returns whether an item is among a profile's favourite channels. */
export function isAmongChannels(
  thing: FavouriteThing,
  channels: readonly Pick<Channel, 'idChannel'>[],
): boolean {
  return 'idChannel' in thing && channels.some(({ idChannel }) => idChannel === thing.idChannel)
}

/**
 * Adds an item to the active profile's favourites or removes it, and fetches the list of favourites again (V4-47).
 *
 * @param isFavourite whether the item is a favourite before the change
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
      : // Home has a rail of favourites.
        [favouriteTitlesQuery.queryKey, [homeContent.name]]
    await Promise.all(stale.map(async (queryKey) => await queries.invalidateQueries({ queryKey })))
  }
}
