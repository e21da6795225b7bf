import { OFFER_VALIDITY, type OfferSource, type UserOffer } from '@ondine/contract/orders'

/** An offer that is charged and cancelled elsewhere: in an app store, or at the subscription service. */
export type ElsewhereOffer = UserOffer & { source: Exclude<OfferSource, 'order' | 'gift'> }

/** The pages on which device stores manage subscriptions. */
export const STORE_PAGES = {
  apple: 'https://apps.apple.com/account/subscriptions',
  google: 'https://play.google.com/store/account/subscriptions',
} as const

/** Returns the account's plans that were bought elsewhere. */
export function plansFromElsewhere(options: readonly UserOffer[]): ElsewhereOffer[] {
  return options.filter(
    (option): option is ElsewhereOffer =>
      option.offerType === 'subscription' && option.source !== 'order' && option.source !== 'gift',
  )
}

/** Returns whether a plan that was bought elsewhere will be charged again. */
export function isRenewedElsewhere({ statusId }: ElsewhereOffer): boolean {
  return statusId !== OFFER_VALIDITY.cancelled
}
