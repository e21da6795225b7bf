import type { Context } from '../../../context.ts'
import { FIRST_STOREFRONT } from '../../settings/storefronts/storefronts.service.ts'

/** The plan of a year whose first year costs less. */
const PROMOTED = 'cinema-series-yearly'
const PROMOTION = {
  discountEnabled: true,
  discountedPrice: '69.90',
  discountPeriods: 1,
  discountDescription: { fra: 'Offre de lancement', eng: 'Launch offer' },
}

/**
 * Sells a plan of the demonstration cheaper for its first year. The configuration names the offer by its number, so that this comes after
 * the offers. Where somebody has changed the configuration, it stays as it is.
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
  // The first revision is what the demonstration begins with.
  if (revision !== 1) return
  await configurations.change(
    storefront.id,
    revision,
    [{ path: 'offers.globalPromotion', value: { ...PROMOTION, offerId: offer.id } }],
    { author: 'demonstration', reason: 'A plan costs less in its first year' },
  )
}
