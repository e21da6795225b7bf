import { useRouter } from '@tanstack/react-router'
import type { CardContent } from '../../design/card.tsx'
import type { FavouriteThing } from '../favourites/favourite.ts'
import type { CardMenuOptions } from './card-menu.ts'

/**
 * What opens the menu of a card that stands for `thing`; undefined where there is nothing to do but open it. Its code is fetched
 * with the first one.
 */
export function useCardMenu(
  thing: FavouriteThing | undefined,
  more: CardMenuOptions = {},
): CardContent['menu'] {
  const router = useRouter()
  if (thing === undefined) return undefined
  return (card) =>
    void import('./card-menu.ts').then(({ openCardMenu }) => openCardMenu(router, card, thing, more))
}
