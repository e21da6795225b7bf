import type { DeviceStore, TransactionParams } from '@ondine/contract/store-purchases'

/** A purchase that the device's app store reports to the app. A call links it to the account (A7.3-01). */
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
   * Calls `listener` with the purchases of the device's owner: at once with all valid purchases, later with each
   * purchase that the store reports. A reported purchase is possibly linked to the account already.
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
