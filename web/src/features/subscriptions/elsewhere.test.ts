import type { UserOffer } from '@ondine/contract/orders'
import { describe, expect, it } from 'vitest'
import { plansFromElsewhere } from './elsewhere.ts'

/** An offer of an account, as far as it matters here. */
const option = (source: UserOffer['source'], offerType: UserOffer['offerType'] = 'subscription') =>
  // The other fields are not read.
  ({ source, offerType }) as UserOffer

describe('plans from elsewhere', () => {
  it('A2.1-18 are those of stores and of the subscription service, neither gifts nor what is charged here', () => {
    const all = (['order', 'gift', 'apple', 'google', 'subscriptionService'] as const).map((source) =>
      option(source),
    )
    expect(plansFromElsewhere(all).map(({ source }) => source)).toEqual([
      'apple',
      'google',
      'subscriptionService',
    ])
  })

  it('are no rentals', () => {
    expect(plansFromElsewhere([option('apple', 'transactional'), option('google', 'ppv')])).toEqual([])
  })
})
