import type { Language } from '@ondine/contract/languages'
import type { Offer } from '@ondine/contract/offers'
import type { TFunction } from 'i18next'
import { cartPath, type SoldContent } from '../../features/rights/offers/offer-paths.ts'
import { amountText } from '../../words/money.ts'
import type { PlayerTarget } from '../content/playable.ts'
import type { ErrorAction } from './error-panel.tsx'

/**
 * Converts a target to the shop's form of content; undefined for a trailer or a recording, which the shop does not
 * sell.
 */
export function soldContent({ kind, id }: Pick<PlayerTarget, 'kind' | 'id'>): SoldContent | undefined {
  if (kind === 'trailer' || kind === 'recording') return undefined
  return { contentId: id, contentType: kind === 'channel' ? 'CHANNEL' : 'VOD_ASSET' }
}

/** Returns the actions that put a single purchase of the content into the cart, sorted by price. */
export function purchaseActions(
  singles: readonly Pick<Offer, 'idOption' | 'offerType' | 'priceWithVat'>[],
  content: SoldContent,
  { language, t }: { language: Language; t: TFunction },
): ErrorAction[] {
  return singles.map(({ idOption, offerType, priceWithVat }) => ({
    text: t(offerType === 'transactional' ? 'offers.rent' : 'offers.buy', {
      price: amountText(priceWithVat, language),
    }),
    to: cartPath({ offerIds: [idOption], ...content }),
  }))
}
