import type { Offer } from '@ondine/contract/offers'
import type { TFunction } from 'i18next'
import { modal } from '../../../modals/modal.ts'
import type { OfferChoice } from '../../../modals/modal-kinds.ts'
import type { Place } from '../../../words/format.ts'
import { cartPath, offerPath, type SoldContent } from './offer-paths.ts'
import { priceOf, viewingTimeText, withoutBeginning } from './offer-texts.ts'
import { optionsOf, plansOf } from './plans.ts'
import type { Standing } from './standing.ts'
import type { Unlocking } from './unlocking.ts'

interface ChoiceParts {
  place: Place
  /** The time, in seconds since the Unix epoch. */
  now: number
  /** A rental of at least this many hours counts as unlimited (A9-02). */
  limitHours: number
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
  { standing, ...parts }: ChoiceParts & { standing: (offer: Offer) => Standing },
): Promise<string | null> {
  const plans = [...plansOf(subscriptions, 'monthly'), ...optionsOf(subscriptions, 'monthly')].map((offer) =>
    standing(offer) === 'open' ? offer : withoutBeginning(offer),
  )
  const choices = (offers: readonly Offer[]) => offers.map((offer) => offerChoice(offer, parts))
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
export function offerChoice(offer: Offer, { t, ...parts }: ChoiceParts): OfferChoice {
  const { idOption, title, description, advantages } = offer
  const { amount, before, per, note } = priceOf(offer, parts.place.language, t)
  const gives = viewingTimeText(offer, parts, t) ?? (advantages.join('\n') || description)
  return {
    idOption,
    title,
    description: [gives, note ?? ''].filter((each) => each !== '').join('\n'),
    price: per === undefined ? amount : `${amount} ${per}`,
    ...(before && { before }),
  }
}
