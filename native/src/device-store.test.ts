import type { Transaction } from '@capgo/native-purchases'
import type { StorePurchase } from '@ondine/web/api/device-store'
import { PendingPurchase } from '@ondine/web/features/rights/offers/store-pending'
import { beforeEach, expect, test, vi } from 'vitest'

const { storage, plugin } = vi.hoisted(() => ({
  storage: new Map<string, string>(),
  plugin: {
    getProducts: vi.fn(),
    purchaseProduct: vi.fn(),
    getPurchases: vi.fn(),
    acknowledgePurchase: vi.fn(),
    addListener: vi.fn(),
  },
}))
vi.mock('@capacitor/core', () => ({ Capacitor: { getPlatform: () => 'ios' } }))
vi.mock('@capgo/native-purchases', () => ({
  NativePurchases: plugin,
  PURCHASE_TYPE: { INAPP: 'inapp', SUBS: 'subs' },
}))
vi.mock('@ondine/web/api/kept', () => ({
  keep: (name: string, value: string, seconds?: number) =>
    seconds === 0 ? storage.delete(name) : storage.set(name, value),
  kept: (name: string) => storage.get(name),
}))

beforeEach(() => {
  vi.resetAllMocks()
  storage.clear()
  plugin.getProducts.mockResolvedValue({ products: [{}] })
  plugin.getPurchases.mockResolvedValue({ purchases: [] })
})

/** Starts the app. Returns the modules that the start has loaded, and a function by which the store reports. */
async function start() {
  vi.resetModules()
  const { DEVICE_STORE, listenForPurchases } = await import('./device-store.ts')
  await listenForPurchases()
  const [event, report] = plugin.addListener.mock.lastCall as [string, (transaction: Transaction) => void]
  expect(event).toBe('transactionUpdated')
  const told: StorePurchase[] = []
  const follow = async () => await DEVICE_STORE.follow((purchase) => told.push(purchase))
  return { store: DEVICE_STORE, report, told, follow }
}

const rental = (transactionId: string): Transaction =>
  ({
    transactionId,
    productIdentifier: 'tv.rental',
    productType: 'inapp',
    jwsRepresentation: `signed-${transactionId}`,
  }) as Transaction

const PRODUCT = { id: 'tv.rental', isSubscription: false }

test('A7.3-01 a paid rental is reported again at the next start, until it is linked', async () => {
  plugin.purchaseProduct.mockResolvedValue(rental('7'))
  const first = await start()
  await first.store.buy(PRODUCT)
  // The app is closed before the service has linked the rental. The App Store does not list consumables.
  const second = await start()
  await second.follow()
  expect(second.told).toMatchObject([
    { provider: 'apple', transactionId: '7', transactionParams: { signedTransaction: 'signed-7' } },
  ])
  await second.told[0]?.finish()
  expect(plugin.acknowledgePurchase).toHaveBeenCalledWith({ purchaseToken: '7' })
  const third = await start()
  await third.follow()
  expect(third.told).toEqual([])
})

test('A7.3-01 purchases that the store reports before somebody has signed in are not lost', async () => {
  const { report, told, follow } = await start()
  report(rental('7'))
  report({ ...rental('8'), productType: 'subs' })
  plugin.getPurchases.mockResolvedValue({ purchases: [{ ...rental('8'), productType: 'subs' }] })
  await follow()
  expect(told.map(({ transactionId }) => transactionId)).toEqual(['7', '8'])
  report(rental('9'))
  expect(told.map(({ transactionId }) => transactionId)).toEqual(['7', '8', '9'])
  const next = await start()
  await next.follow()
  // The App Store lists subscriptions at each start.
  expect(next.told.map(({ transactionId }) => transactionId)).toEqual(['7', '9', '8'])
})

test('A7.3-01 a transaction that the plugin has finished already is no error', async () => {
  const { report, told, follow } = await start()
  report(rental('7'))
  await follow()
  plugin.acknowledgePurchase.mockRejectedValueOnce(new Error('The store is closed'))
  await expect(told[0]?.finish()).rejects.toThrow('closed')
  plugin.acknowledgePurchase.mockRejectedValueOnce(
    new Error('Transaction not found or already finished. Transaction ID: 7'),
  )
  await told[0]?.finish()
  const next = await start()
  await next.follow()
  expect(next.told).toEqual([])
})

test('A7.3-01 a purchase that waits for an approval is told apart from a failed and a cancelled one', async () => {
  const { store } = await start()
  const fails = (message: string) => plugin.purchaseProduct.mockRejectedValueOnce(new Error(message))
  fails('Transaction pending')
  const pending: unknown = await store.buy(PRODUCT).catch((error: unknown) => error)
  expect(pending).toMatchObject({ name: new PendingPurchase().name })
  fails('User cancelled')
  expect(await store.buy(PRODUCT)).toBeNull()
  fails('The store is closed')
  await expect(store.buy(PRODUCT)).rejects.toThrow('closed')
})

test('A7.3-01 a refunded rental is not sent again', async () => {
  const { report, told, follow } = await start()
  report(rental('7'))
  report({ ...rental('7'), revocationDate: '2026-07-01T10:00:00Z' })
  report({ ...rental('8'), revocationDate: '2026-07-01T10:00:00Z' })
  await follow()
  const next = await start()
  await next.follow()
  expect([told, next.told]).toEqual([[], []])
})

test('A7.3-01 another purchase that the store reports to the open dialog is told as such', async () => {
  const { store, told, follow } = await start()
  await follow()
  plugin.purchaseProduct.mockResolvedValue({ ...rental('7'), productIdentifier: 'tv.other' })
  expect(await store.buy(PRODUCT)).toBeNull()
  expect(told).toMatchObject([{ transactionId: '7', productId: 'tv.other' }])
})
