import type { UserOffer } from '@ondine/contract/orders'

/** Returns the plans that the account got as gifts, sorted by their start. */
export function giftsOf(options: readonly UserOffer[]): UserOffer[] {
  return options
    .filter(({ source }) => source === 'gift')
    .toSorted((one, other) => (one.userValidityFrom ?? 0) - (other.userValidityFrom ?? 0))
}
