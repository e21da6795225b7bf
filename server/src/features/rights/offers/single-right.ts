import type { NewGrant, Opened } from '../entitlements/grants.service.ts'
import type { CurrentOffer } from './offer-book.ts'
import type { OfferTerms } from './offer-terms.ts'

/** A rental must be started within this time (spec 49). */
const BEGIN_WITHIN_MS = 30 * 86_400_000

/** Target and period of the right from a one-time purchase. */
export type SingleRight = Pick<NewGrant, 'opens' | 'from' | 'to' | 'slotSeconds'>

/**
 * Returns the right that a rental or a pay-per-view gives.
 *
 * @param assetId the chosen title, if the offer has several
 * @param now when it is given, in milliseconds since the Unix epoch
 */
export function singleRight(
  { type, key, terms: { opens, slotSeconds } }: Pick<CurrentOffer, 'type' | 'key' | 'terms'>,
  assetId: number | null,
  now: number,
): SingleRight {
  // The slot of a channel begins with the purchase, all others with the first play.
  const ofChannel = opens.kind === 'channel'
  const endOfChannel = slotSeconds === null ? null : now + slotSeconds * 1000
  const lastBeginning = type === 'transactional' && slotSeconds !== null ? now + BEGIN_WITHIN_MS : null
  return {
    opens: openedBy(opens, assetId, key),
    from: now,
    to: ofChannel ? endOfChannel : lastBeginning,
    slotSeconds: ofChannel || slotSeconds === null ? undefined : slotSeconds,
  }
}

function openedBy(opens: OfferTerms['opens'], assetId: number | null, key: string): Opened {
  switch (opens.kind) {
    case 'season':
      return { categoryId: opens.categoryId }
    case 'channel':
      return { channelId: opens.channelId }
    default:
      if (assetId === null) throw new Error(`${key} was bought without a title.`)
      return { assetId }
  }
}
