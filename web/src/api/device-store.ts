import type { DeviceStore, TransactionParams } from '@ondine/contract/store-purchases'

/** A purchase as the store of the device reports it to the app, for the call that links it (A7.3-01). */
export interface StorePurchase {
  provider: DeviceStore
  transactionId: string
  transactionParams: Pick<TransactionParams, 'signedTransaction' | 'productId' | 'purchaseToken'>
  productId: string
  /** Tells the store that the purchase is delivered. */
  finish: () => Promise<void>
}

/** The store of the device, in the native app. */
export interface AppStore {
  provider: DeviceStore
  /** Buys a product. @returns null if the viewer cancels @throws Error with the reason of the store */
  buy: (product: { id: string; isSubscription: boolean }) => Promise<StorePurchase | null>
  /**
   * Calls `listener` with the purchases of the device's owner: now with those that are valid, later with those that the
   * store reports. The account may have them already.
   */
  follow: (listener: (purchase: StorePurchase) => void) => Promise<void>
}

let store: AppStore | undefined

/** Provides the store of the device. The native app does this at its start. */
export function provideDeviceStore(provided: AppStore): void {
  store = provided
}

/** Returns the store of the device; undefined in a browser. */
export function deviceStore(): AppStore | undefined {
  return store
}
