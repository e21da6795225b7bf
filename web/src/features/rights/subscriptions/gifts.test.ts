import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import { describe, expect, it } from 'vitest'
import { giftsOf } from './gifts.ts'

const DAY = 86_400

/** Builds an offer of an account with the fields that the tested functions read. */
const option = (idOption: number, rest: Partial<UserOffer> = {}) =>
  ({
    idOption,
    source: 'gift',
    offerType: 'subscription',
    statusId: OFFER_VALIDITY.active,
    userValidityPending: false,
    userValidityFrom: 0,
    userValidityTo: 30 * DAY,
    ...rest,
    // The code under test does not read the other fields.
  }) as UserOffer
const ids = (offers: UserOffer[]) => offers.map(({ idOption }) => idOption)

describe('gifts', () => {
  it('are plans that were bought neither here nor elsewhere', () => {
    const others = (['order', 'apple', 'google', 'subscriptionService'] as const).map((source) =>
      option(1, { source }),
    )
    expect(ids(giftsOf([...others, option(2)]))).toEqual([2])
    expect(giftsOf([])).toEqual([])
  })

  it('of one plan follow each other', () => {
    const later = option(1, { userValidityFrom: 30 * DAY, userValidityTo: 60 * DAY })
    expect(giftsOf([later, option(1)]).map(({ userValidityFrom }) => userValidityFrom)).toEqual([0, 30 * DAY])
  })
})
