import { useRouter } from '@tanstack/react-router'
import type { CardContent } from '../../../design/cards/card.tsx'
import type { FavouriteThing } from '../favourites/favourite.ts'
import type { CardMenuOptions } from './card-menu.ts'

/**
 * Returns the function that opens the menu of the card of `thing`, or of a programme. Undefined where the menu would
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
