import type { Language } from '@ondine/contract/languages'
import type { Offer } from '@ondine/contract/offers'
import type { TFunction } from 'i18next'
import { modal } from '../../../modals/modal.ts'
import type { OfferChoice } from '../../../modals/modal-kinds.ts'
import { cartPath, offerPath, type SoldContent } from './offer-paths.ts'
import { durationText, priceOf, withoutBeginning } from './offer-texts.ts'
import { optionsOf, plansOf } from './plans.ts'
import type { Standing } from './standing.ts'
import type { Unlocking } from './unlocking.ts'

interface CompareParts {
  language: Language
  /** A rental of at least this many hours counts as unlimited (A9-02). */
  limitHours: number
  standing: (offer: Offer) => Standing
  t: TFunction
}

/**
 * Opens a sheet that compares the offers for a title or a channel: their content and their prices.
 *
 * @returns the path for the viewer's choice: the page of a subscription (A2.1-36), or the cart for a single
 * purchase. Null without a choice
 */
export async function compareOffers(
  { subscriptions, singles }: Unlocking,
  { content, title }: { content: SoldContent; title: string },
  { language, limitHours, standing, t }: CompareParts,
): Promise<string | null> {
  const plans = [...plansOf(subscriptions, 'monthly'), ...optionsOf(subscriptions, 'monthly')].map((offer) =>
    standing(offer) === 'open' ? offer : withoutBeginning(offer),
  )
  const choices = (offers: readonly Offer[]) =>
    offers.map((offer) => offerChoice(offer, { language, limitHours, t }))
  const chosen = await modal.open('subscribe', {
    itemContent: { title, image: null },
    offers: choices(plans),
    transactionalOffers: choices(singles),
  })
  const plan = plans.find(({ idOption }) => idOption === chosen)
  if (plan !== undefined) return offerPath(plan)
  return chosen === null ? null : cartPath({ offerIds: [chosen], ...content })
}

/** Describes an offer for the sheet that compares offers: its benefits, one per line, and its price. */
export function offerChoice(
  offer: Offer,
  { language, limitHours, t }: { language: Language; limitHours: number; t: TFunction },
): OfferChoice {
  const { idOption, title, description, advantages } = offer
  const { amount, before, per, note } = priceOf(offer, language, t)
  const gives = durationText(offer, limitHours, t) ?? (advantages.join('\n') || description)
  return {
    idOption,
    title,
    description: [gives, note ?? ''].filter((each) => each !== '').join('\n'),
    price: per === undefined ? amount : `${amount} ${per}`,
    ...(before && { before }),
  }
}
