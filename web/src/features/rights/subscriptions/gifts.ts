import type { UserOffer } from '@ondine/contract/orders'

/** Returns the account's gifted plans, the earliest first. */
export function giftsOf(options: readonly UserOffer[]): UserOffer[] {
  return options
    .filter(({ source }) => source === 'gift')
    .toSorted((one, other) => (one.userValidityFrom ?? 0) - (other.userValidityFrom ?? 0))
}
