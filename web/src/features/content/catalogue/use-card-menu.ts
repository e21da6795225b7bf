import { useRouter } from '@tanstack/react-router'
import type { CardContent } from '../../../design/cards/card.tsx'
import type { FavouriteThing } from '../favourites/favourite.ts'
import type { CardMenuOptions } from './card-menu.ts'

/**
 * Returns a function that opens the menu of a card for `thing` or for a programme. Undefined if the menu would
 * only open the item. The code of the menu loads with its first use.
 */
export function useCardMenu(
  thing: FavouriteThing | undefined,
  more: CardMenuOptions = {},
): CardContent['menu'] {
  const router = useRouter()
  if (thing === undefined && more.programme === undefined) return undefined
  return (card) =>
    void import('./card-menu.ts').then(({ openCardMenu }) => openCardMenu(router, card, thing, more))
}
