import { expect, test } from 'vitest'
import { type AppStore, provideDeviceStore } from '../../../api/device-store.ts'
import { storeProduct } from './store-product.ts'

type Sold = Parameters<typeof storeProduct>[0][number]

const PLAN: Sold = {
  offerType: 'subscription',
  externalId: [
    { store: 'apple', id: 'tv.cinema' },
    { store: 'google', id: 'cinema' },
    { store: 'cleeng-type', id: 'S1' },
  ],
}
const RENTAL: Sold = { offerType: 'transactional', externalId: [{ store: 'apple', id: 'tv.rental' }] }

const store = (provider: AppStore['provider']): AppStore => ({
  provider,
  buy: async () => null,
  follow: async () => {},
})

test('A3-23 A1-01 an app sells an offer as the product of its store, and a browser never does', () => {
  const of = (...offers: Sold[]) => storeProduct(offers)
  expect(of(PLAN)).toBeUndefined()
  provideDeviceStore(store('google'))
  expect(of(PLAN)).toEqual({ id: 'cinema', isSubscription: true })
  expect(of(RENTAL)).toBeUndefined()
  provideDeviceStore(store('apple'))
  expect(of(RENTAL)).toEqual({ id: 'tv.rental', isSubscription: false })
  expect(of()).toBeUndefined()
  expect(of(PLAN, RENTAL)).toBeUndefined()
  expect(of({ ...PLAN, externalId: [] })).toBeUndefined()
})
