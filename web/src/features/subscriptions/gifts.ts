import type { UserOffer } from '@ondine/contract/orders'

/** The plans that an account has as gifts. The first to begin comes first. */
export function giftsOf(options: readonly UserOffer[]): UserOffer[] {
  return options
    .filter(({ source }) => source === 'gift')
    .toSorted((one, other) => (one.userValidityFrom ?? 0) - (other.userValidityFrom ?? 0))
}
