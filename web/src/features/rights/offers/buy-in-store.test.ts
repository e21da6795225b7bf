// @vitest-environment happy-dom
import type { OutputOf } from '@ondine/contract/operation'
import { OFFER_VALIDITY } from '@ondine/contract/orders'
import type { linkStorePurchase } from '@ondine/contract/store-purchases'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { provideDeviceStore, type StorePurchase } from '../../../api/device-store.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { buyInStore, followStore } from './buy-in-store.ts'
import { PendingPurchase } from './store-pending.ts'

const { storage } = vi.hoisted(() => ({ storage: new Map<string, string>() }))
vi.mock('../../../api/kept.ts', () => ({
  keep: (name: string, value: string, seconds?: number) =>
    seconds === 0 ? storage.delete(name) : storage.set(name, value),
  kept: (name: string) => storage.get(name),
}))
vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../ground/errors/report-fault.ts', () => ({ reportFault: vi.fn() }))
vi.mock('../orders/ask-unlocked-anew.ts', () => ({ askUnlockedAnew: vi.fn() }))
vi.mock('../../people/parental/ask-code.ts', () => ({
  withParentalCode: async (act: (proof: undefined) => unknown) => await act(undefined),
}))

const LINKED: OutputOf<typeof linkStorePurchase> = {
  idOption: 1,
  isActive: true,
  statusId: OFFER_VALIDITY.active,
  userValidityFrom: 0,
  userValidityTo: null,
}
const FILM_A = { contentId: 1, contentType: 'VOD_ASSET' } as const
const FILM_B = { contentId: 2, contentType: 'VOD_ASSET' } as const
const queries = new QueryClient()

const refused = (code: number) => new ApiError({ code, status: 400, message: '' })

/** The purchases with which the service was called, with their contents. */
const sent = () =>
  vi.mocked(call).mock.calls.map(([, input]) => {
    const { transactionId, transactionParams } = input as {
      transactionId: string
      transactionParams?: { contentId?: number }
    }
    return [transactionId, transactionParams?.contentId]
  })

/** The purchases that the operator's scripts have counted. */
let told: unknown[]
window.addEventListener('ondine:purchase', (event) => told.push((event as CustomEvent).detail))

/** The answer of the service to each call. */
let answers: () => Promise<typeof LINKED>
let buys: () => Promise<StorePurchase | null>
let tell: (purchase: StorePurchase) => void
let product: { id: string; isSubscription: boolean }

let count = 0
beforeEach(() => {
  vi.clearAllMocks()
  storage.clear()
  sessionStorage.clear()
  told = []
  answers = async () => LINKED
  vi.mocked(call).mockImplementation(async () => await answers())
  // A purchase that a test leaves unlinked is not one of the next test's product.
  product = { id: `rental-${++count}`, isSubscription: false }
  provideDeviceStore({
    provider: 'apple',
    buy: async () => await buys(),
    follow: async (listener) => {
      tell = listener
    },
  })
})

function purchase(transactionId: string): StorePurchase {
  return {
    provider: 'apple',
    transactionId,
    productId: product.id,
    transactionParams: { signedTransaction: 'signed' },
    finish: vi.fn(async () => {}),
  }
}

const ofGoogle = (transactionId: string): StorePurchase => ({
  ...purchase(transactionId),
  provider: 'google',
  transactionParams: { productId: product.id, purchaseToken: transactionId },
})

const buy = async (content: typeof FILM_A | typeof FILM_B) =>
  await buyInStore(queries, product, content, undefined)

test('A7.3-01 A4.8-07 a purchase is linked with its content, finished, and reported to the scripts of the operator', async () => {
  const bought = purchase('1')
  buys = async () => bought
  expect(await buy(FILM_A)).toBe(true)
  expect(sent()).toEqual([['1', FILM_A.contentId]])
  expect(bought.finish).toHaveBeenCalledTimes(1)
  expect(askUnlockedAnew).toHaveBeenCalledTimes(1)
  expect(told).toEqual([{ transactionId: '1' }])
  expect(storage.size).toBe(0)
})

test('A7.3-01 a cancelled purchase of another title does not change the content of an unlinked one', async () => {
  await followStore(queries)
  buys = async () => purchase('1')
  answers = async () => await Promise.reject(refused(NO_ANSWER))
  await expect(buy(FILM_A)).rejects.toThrow()
  // The service has no answer yet, so nothing else is bought.
  buys = vi.fn(async () => null)
  await expect(buy(FILM_B)).rejects.toThrow()
  expect(buys).not.toHaveBeenCalled()
  answers = async () => LINKED
  expect(await buy(FILM_B)).toBe(false)
  expect(told).toEqual([])
  expect(sent()).toEqual([
    ['1', 1],
    ['1', 1],
    ['1', 1],
  ])
  expect(askUnlockedAnew).toHaveBeenCalledTimes(1)
  expect(storage.size).toBe(0)
})

test('A7.3-01 a title whose purchase is not linked yet is not charged again', async () => {
  buys = async () => purchase('3')
  answers = async () => await Promise.reject(refused(NO_ANSWER))
  await expect(buy(FILM_A)).rejects.toThrow()
  answers = async () => LINKED
  buys = vi.fn(async () => purchase('2'))
  expect(await buy(FILM_A)).toBe(true)
  expect(buys).not.toHaveBeenCalled()
  expect(told).toEqual([{ transactionId: '3' }])
})

test.each([
  ['cancelled', async () => null],
  ['failed', async () => await Promise.reject(new Error('The store is closed'))],
])(
  'A7.3-01 a purchase that the app did not see end keeps its content after a %s one',
  async (_what, attempt) => {
    await followStore(queries)
    // The app was closed while the store's dialog for film A was open.
    storage.set(`bought ${product.id}`, JSON.stringify(FILM_A))
    buys = attempt
    await buy(FILM_B).catch(() => {})
    tell(purchase('1'))
    await vi.waitFor(() => expect(askUnlockedAnew).toHaveBeenCalledTimes(1))
    expect(sent()).toEqual([['1', FILM_A.contentId]])
  },
)

test('A7.3-01 a purchase that waits for an approval is linked with its content later', async () => {
  await followStore(queries)
  buys = async () => await Promise.reject(new PendingPurchase('Transaction pending'))
  await expect(buy(FILM_A)).rejects.toThrow(PendingPurchase)
  tell(purchase('1'))
  await vi.waitFor(() => expect(askUnlockedAnew).toHaveBeenCalledTimes(1))
  expect(sent()).toEqual([['1', FILM_A.contentId]])
})

test('A7.3-01 an approved purchase gets its own content while the dialog for another title is open', async () => {
  await followStore(queries)
  buys = async () => await Promise.reject(new PendingPurchase('Transaction pending'))
  await expect(buy(FILM_A)).rejects.toThrow(PendingPurchase)
  const dialog = Promise.withResolvers<StorePurchase>()
  buys = async () => await dialog.promise
  const bought = buy(FILM_B)
  tell(purchase('1'))
  await vi.waitFor(() => expect(askUnlockedAnew).toHaveBeenCalledTimes(1))
  // The store reports a purchase of another device: nothing is known about its content.
  tell(purchase('2'))
  await vi.waitFor(() => expect(askUnlockedAnew).toHaveBeenCalledTimes(2))
  dialog.resolve(purchase('3'))
  expect(await bought).toBe(true)
  expect(sent()).toEqual([
    ['1', FILM_A.contentId],
    ['2', undefined],
    ['3', FILM_B.contentId],
  ])
  expect(storage.size).toBe(0)
})

test('A7.3-01 two pending purchases of one product that are approved together bring both titles', async () => {
  await followStore(queries)
  buys = async () => await Promise.reject(new PendingPurchase('Transaction pending'))
  for (const film of [FILM_A, FILM_B, FILM_A]) await expect(buy(film)).rejects.toThrow(PendingPurchase)
  tell(purchase('1'))
  tell(purchase('2'))
  await vi.waitFor(() => expect(askUnlockedAnew).toHaveBeenCalledTimes(2))
  expect(sent()).toEqual([
    ['1', FILM_A.contentId],
    ['2', FILM_B.contentId],
  ])
})

test.each([
  ['the payment provider does not answer', -505],
  ['there are too many calls', -429],
  ['the account is suspended', -2409],
])('A7.3-01 a title is not charged again while %s', async (_what, code) => {
  buys = async () => purchase('1')
  answers = async () => await Promise.reject(refused(code))
  await expect(buy(FILM_A)).rejects.toMatchObject({ code })
  buys = vi.fn(async () => purchase('2'))
  await expect(buy(FILM_A)).rejects.toMatchObject({ code })
  expect(buys).not.toHaveBeenCalled()
})

test.each([
  ['of another account', -2333, purchase],
  ['that Google does not confirm', -2109, ofGoogle],
])('A7.3-01 a purchase %s is forgotten', async (_what, code, purchaseWith) => {
  await followStore(queries)
  const other = purchaseWith('1')
  answers = async () => await Promise.reject(refused(code))
  tell(other)
  await vi.waitFor(() => expect(other.finish).toHaveBeenCalledTimes(1))
  expect(reportFault).not.toHaveBeenCalled()
  answers = async () => LINKED
  buys = async () => purchase('2')
  expect(await buy(FILM_A)).toBe(true)
  expect(sent().map(([id]) => id)).toEqual(['1', '2'])
})

// Apple's purchases are refused with -2109 too while the operator's settings for the App Store are wrong.
test.each([-3010, -3011, -404, -1605, -2108, -2109])(
  'A7.3-01 a paid purchase that cannot be delivered (%s) is reported and kept, and does not prevent another',
  async (code) => {
    await followStore(queries)
    const paid = purchase('1')
    const missing = refused(code)
    answers = async () => await Promise.reject(missing)
    tell(paid)
    await vi.waitFor(() => expect(reportFault).toHaveBeenCalledExactlyOnceWith(missing))
    vi.mocked(call).mockRejectedValueOnce(missing)
    answers = async () => LINKED
    buys = async () => purchase('2')
    expect(await buy(FILM_A)).toBe(true)
    expect(sent().map(([id]) => id)).toEqual(['1', '1', '2'])
    expect(paid.finish).not.toHaveBeenCalled()
  },
)

test.each([NO_ANSWER, -505])('A7.3-01 after the answer %s, a purchase is not forgotten', async (code) => {
  await followStore(queries)
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const paid = purchase('1')
  answers = async () => await Promise.reject(refused(code))
  tell(paid)
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1))
  warn.mockRestore()
  expect(paid.finish).not.toHaveBeenCalled()
  expect(reportFault).not.toHaveBeenCalled()
})
