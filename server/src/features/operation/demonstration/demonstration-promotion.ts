import type { Context } from '../../../context.ts'
import { FIRST_STOREFRONT } from '../../settings/storefronts/storefronts.service.ts'

/** Key of the yearly plan with a lower price in the first year. */
const PROMOTED = 'cinema-series-yearly'
const PROMOTION = {
  discountEnabled: true,
  discountedPrice: '69.90',
  discountPeriods: 1,
  discountDescription: { fra: 'Offre de lancement', eng: 'Launch offer' },
}

/**
 * Lowers the price of one of the demonstration's plans for the first year. The configuration refers to the offer
 * by its id, so this must run after the offers are stored. Does nothing if an operator has changed the
 * configuration.
 */
export async function promoteDemonstration({
  configurations,
  offers,
  storefronts,
}: Pick<Context, 'configurations' | 'offers' | 'storefronts'>): Promise<void> {
  const storefront = storefronts.of(FIRST_STOREFRONT.demonstration)
  const offer = offers.ofKey(PROMOTED)
  if (!storefront || !offer) return
  const { revision } = configurations.stored(storefront.id)
  // The demonstration itself created revision 1. A later revision is an operator's change.
  if (revision !== 1) return
  await configurations.change(
    storefront.id,
    revision,
    [{ path: 'offers.globalPromotion', value: { ...PROMOTION, offerId: offer.id } }],
    { author: 'demonstration', reason: 'A plan costs less in its first year' },
  )
}
