import type { OfferSource, UserOffer } from '@ondine/contract/orders'

/** What was bought where somebody else charges for it and cancels it. */
export type ElsewhereOffer = UserOffer & { source: Exclude<OfferSource, 'order' | 'gift'> }

/** Where the stores of devices let people manage their subscriptions. */
export const STORE_PAGES = {
  apple: 'https://apps.apple.com/account/subscriptions',
  google: 'https://play.google.com/store/account/subscriptions',
} as const

/** The plans that an account has from elsewhere. */
export function plansFromElsewhere(options: readonly UserOffer[]): ElsewhereOffer[] {
  return options.filter(
    (option): option is ElsewhereOffer =>
      option.offerType === 'subscription' && option.source !== 'order' && option.source !== 'gift',
  )
}
