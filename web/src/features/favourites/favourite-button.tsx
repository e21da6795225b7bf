import { homeContent } from '@ondine/contract/catalogue'
import {
  addFavoriteAsset,
  addFavoriteChannel,
  removeFavoriteAsset,
  removeFavoriteChannel,
} from '@ondine/contract/favourites'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { Button } from '../../design/button.tsx'
import { HeartIcon } from '../../design/icons.tsx'
import { useSession } from '../accounts/session.ts'
import { channelsQuery } from '../channels/queries.ts'
import styles from './favourite-button.module.css'
import { favouriteChannelsQuery, favouriteTitlesQuery } from './favourites-query.ts'

/** What can be a favourite. */
export type FavouriteThing = { idAsset: number } | { idCategory: number } | { idChannel: number }

/**
 * Adds something to the favourites of the profile that watches, or takes it out; the list is asked for anew (V4-47). A
 * visitor has none (V4-48, V6-01).
 */
export function FavouriteButton({ thing, title }: { thing: FavouriteThing; title: string }) {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const queries = useQueryClient()
  const isChannel = 'idChannel' in thing
  const signedIn = account !== null && profile !== null
  const titles = useQuery({ ...favouriteTitlesQuery, enabled: signedIn && !isChannel })
  const channels = useQuery({ ...favouriteChannelsQuery, enabled: signedIn && isChannel })
  const known = isChannel ? channels.data : titles.data
  const isFavourite = isChannel
    ? (channels.data?.some(({ idChannel }) => idChannel === thing.idChannel) ?? false)
    : (titles.data?.some((item) =>
        'idAsset' in thing
          ? item.type === 'asset' && item.payload.idAsset === thing.idAsset
          : item.type === 'category' && item.payload.idCatalog === thing.idCategory,
      ) ?? false)
  const toggle = useMutation({
    mutationFn: async () => {
      if (isChannel) await call(isFavourite ? removeFavoriteChannel : addFavoriteChannel, thing)
      else await call(isFavourite ? removeFavoriteAsset : addFavoriteAsset, thing)
    },
    onSettled: async () => {
      const stale = isChannel
        ? [favouriteChannelsQuery.queryKey, channelsQuery.queryKey]
        : // Home has a rail of them.
          [favouriteTitlesQuery.queryKey, [homeContent.name]]
      await Promise.all(stale.map(async (queryKey) => await queries.invalidateQueries({ queryKey })))
    },
  })
  if (!signedIn) return null
  return (
    <Button
      look="icon"
      className={styles.heart}
      aria-label={t(isFavourite ? 'favourites.remove' : 'favourites.add', { title })}
      aria-pressed={isFavourite}
      isDisabled={known === undefined}
      isPending={toggle.isPending}
      onPress={() => void toggle.mutateAsync()}
    >
      <HeartIcon />
    </Button>
  )
}
