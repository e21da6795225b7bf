import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import { describe, expect, it } from 'vitest'
import { isRenewedElsewhere, plansFromElsewhere } from './elsewhere.ts'

/** Builds an offer of an account with the fields that the tested functions read. */
const option = (source: UserOffer['source'], offerType: UserOffer['offerType'] = 'subscription') =>
  // The code under test does not read the other fields.
  ({ source, offerType }) as UserOffer

describe('plans from elsewhere', () => {
  it('A2.1-18 come from stores and the subscription service, not from gifts or charges here', () => {
    const all = (['order', 'gift', 'apple', 'google', 'subscriptionService'] as const).map((source) =>
      option(source),
    )
    expect(plansFromElsewhere(all).map(({ source }) => source)).toEqual([
      'apple',
      'google',
      'subscriptionService',
    ])
  })

  it('do not include rentals', () => {
    expect(plansFromElsewhere([option('apple', 'transactional'), option('google', 'ppv')])).toEqual([])
  })

  it('are renewed until the viewer cancels them there', () => {
    const plans = plansFromElsewhere([option('apple'), option('google')])
    const renewed = (statusId: UserOffer['statusId']) =>
      plans.map((plan) => isRenewedElsewhere({ ...plan, statusId }))
    expect(renewed(OFFER_VALIDITY.active)).toEqual([true, true])
    expect(renewed(OFFER_VALIDITY.cancelled)).toEqual([false, false])
  })
})
