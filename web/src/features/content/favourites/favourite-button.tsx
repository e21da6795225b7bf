import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { HeartIcon } from '../../../design/icons/icons.tsx'
import { useSession } from '../../ground/session/session.ts'
import { changeFavourite, type FavouriteThing, isAmongChannels, isAmongTitles } from './favourite.ts'
import styles from './favourite-button.module.css'
import { favouriteChannelsQuery, favouriteTitlesQuery } from './favourites-query.ts'

/**
 * Adds an item to the active profile's favourites or removes it, and fetches the list of favourites again (V4-47).
 * Signed-out viewers do not see the button (V4-48, V6-01).
 */
export function FavouriteButton({ thing, title }: { thing: FavouriteThing; title: string }) {
  const { account, profile } = useSession()
  const queries = useQueryClient()
  const isChannel = 'idChannel' in thing
  const signedIn = account !== null && profile !== null
  const titles = useQuery({ ...favouriteTitlesQuery, enabled: signedIn && !isChannel })
  const channels = useQuery({ ...favouriteChannelsQuery, enabled: signedIn && isChannel })
  const known = isChannel ? channels.data : titles.data
  const isFavourite = isAmongTitles(thing, titles.data ?? []) || isAmongChannels(thing, channels.data ?? [])
  const toggle = useMutation({
    mutationFn: async () => await changeFavourite(queries, thing, isFavourite),
  })
  if (!signedIn) return null
  return (
    <HeartButton
      title={title}
      isFavourite={isFavourite}
      isDisabled={known === undefined}
      isPending={toggle.isPending}
      onPress={() => void toggle.mutateAsync()}
    />
  )
}

/** The heart that adds something to the favourites or removes it. */
export function HeartButton({
  title,
  isFavourite,
  ...rest
}: { title: string; isFavourite: boolean } & Pick<
  ComponentProps<typeof Button>,
  'isDisabled' | 'isPending' | 'onPress'
>) {
  const { t } = useTranslation()
  return (
    <Button
      look="icon"
      className={styles.heart}
      aria-label={t(isFavourite ? 'favourites.remove' : 'favourites.add', { title })}
      data-selected={isFavourite || undefined}
      {...rest}
    >
      <HeartIcon />
      <RowWords>{t('favourites.title')}</RowWords>
    </Button>
  )
}
