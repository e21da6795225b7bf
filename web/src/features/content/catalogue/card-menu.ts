import type { Programme } from '@ondine/contract/entities'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import type { CardContent } from '../../../design/cards/card.tsx'
import { modal } from '../../../modals/modal.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { notify } from '../../ground/notices/notice.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { sharePage } from '../../ground/share/share.ts'
import { removeBegun } from '../favourites/begun.ts'
import {
  changeFavourite,
  type FavouriteThing,
  isAmongChannels,
  isAmongTitles,
} from '../favourites/favourite.ts'
import { favouriteChannelsQuery, favouriteTitlesQuery } from '../favourites/favourites-query.ts'
import { type CardAction, programmeActions } from './programme-menu.ts'

/** Data for a card's menu that the content of the card does not include. */
export interface CardMenuOptions {
  /** Path of the item's page, if a press on the card leads elsewhere. */
  page?: string
  /** Name of the asset, if it can be removed from Continue watching. */
  begun?: string
  /** The programme of the card, which can have further actions. */
  programme?: Programme
}

/**
 * Lets the viewer choose an action for the item of a card, and runs it: open its page, add or remove the favourite,
 * record its programme, share it (V9-11). A toast reports a changed favourite and offers undo. A signed-out viewer
 * has no favourites (V4-48). Sharing is configurable (V3-46).
 *
 * @throws ApiError
 */
export async function openCardMenu(
  router: AnyRouter,
  { to, title, image }: Pick<CardContent, 'to' | 'title' | 'image'>,
  thing: FavouriteThing | undefined,
  { page: path = to, begun, programme }: CardMenuOptions = {},
): Promise<void> {
  const { queryClient, words } = router.options.context
  const { t } = words
  const configuration = configurationOf(queryClient)
  const { href } = router.state.location
  const [isFavourite, forProgramme] = await Promise.all([
    thing && favourite(queryClient, thing),
    programme === undefined ? [] : programmeActions(router, programme),
  ])
  // If the viewer has navigated in the meantime, no menu opens.
  if (router.state.location.href !== href) return
  const itemContent = { title, image }
  const actions: CardAction[] = [
    { text: t('rail.open'), icon: 'open', act: async () => await router.navigate({ href: path }) },
    ...forProgramme,
    ...(thing === undefined || isFavourite === undefined
      ? []
      : [
          {
            text: t(isFavourite ? 'rail.removeFavourite' : 'rail.addFavourite'),
            icon: 'favourite' as const,
            act: async () => {
              await changeFavourite(queryClient, thing, isFavourite)
              notify({
                text: t(isFavourite ? 'favourites.removed' : 'favourites.added', { title }),
                offer: {
                  text: t('rail.undo'),
                  act: async () => await changeFavourite(queryClient, thing, !isFavourite),
                },
              })
            },
          },
        ]),
    ...(begun !== undefined && thing !== undefined && 'idAsset' in thing
      ? [
          {
            text: t('rail.removeBegun', { title: begun }),
            icon: 'remove' as const,
            act: async () => await removeBegun(queryClient, { ...thing, title: begun }, t),
          },
        ]
      : []),
    ...(configuration.catalogue.shareEnabled
      ? [
          {
            text: t('share.share'),
            icon: 'share' as const,
            act: async () => await sharePage(configuration, itemContent, path),
          },
        ]
      : []),
  ]
  const chosen = await modal.open('actions', {
    itemContent,
    title,
    actions: actions.map(({ act: _act, ...action }) => action),
  })
  if (chosen !== null) await actions[chosen]?.act()
}

/** Returns whether an item is a favourite of the active profile; undefined for a signed-out viewer. */
async function favourite(queries: QueryClient, thing: FavouriteThing): Promise<boolean | undefined> {
  const { account, profile } = await queries.ensureQueryData(sessionQuery)
  if (account === null || profile === null) return undefined
  // Fetches the list again, because the cached list may be older than the last change of the favourites.
  return 'idChannel' in thing
    ? isAmongChannels(thing, await queries.fetchQuery(favouriteChannelsQuery))
    : isAmongTitles(thing, await queries.fetchQuery(favouriteTitlesQuery))
}
