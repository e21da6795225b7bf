import { Capacitor } from '@capacitor/core'
import { NativePurchases, PURCHASE_TYPE, type Transaction } from '@capgo/native-purchases'
import type { AppStore, StorePurchase } from '@ondine/web/api/device-store'

/** Error messages of the plugin for a purchase that the viewer cancelled, on iOS and on Android. */
const CANCELLED: ReadonlySet<unknown> = new Set(['User cancelled', 'USER_CANCELED'])

const IOS = Capacitor.getPlatform() === 'ios'

/**
 * The App Store or Google Play, by StoreKit 2 or Google Play Billing. For Google, the service acknowledges
 * purchases (docs/decisions/0056). For Apple, only the app can finish a transaction.
 */
export const DEVICE_STORE: AppStore = {
  provider: IOS ? 'apple' : 'google',
  buy: async ({ id, isSubscription }) => {
    const productType = isSubscription ? PURCHASE_TYPE.SUBS : PURCHASE_TYPE.INAPP
    const { products } = await NativePurchases.getProducts({ productIdentifiers: [id], productType })
    const planIdentifier = products[0]?.planIdentifier
    try {
      const bought = await NativePurchases.purchaseProduct({
        productIdentifier: id,
        productType,
        // Google requires the base plan of a subscription. The service's products have one base plan each.
        ...(planIdentifier === undefined ? {} : { planIdentifier }),
        autoAcknowledgePurchases: false,
      })
      return purchaseOf(bought)
    } catch (error) {
      if (isCancelled(error)) return null
      throw error
    }
  },
  follow: async (listener) => {
    const tell = (transaction: Transaction) => listener(purchaseOf(transaction))
    await NativePurchases.addListener('transactionUpdated', tell)
    const { purchases } = await NativePurchases.getPurchases({ onlyCurrentEntitlements: true })
    for (const each of purchases) tell(each)
  },
}

function purchaseOf(transaction: Transaction): StorePurchase {
  const { transactionId, productIdentifier: productId, jwsRepresentation, purchaseToken } = transaction
  if (IOS)
    return {
      provider: 'apple',
      transactionId,
      productId,
      transactionParams: { signedTransaction: jwsRepresentation },
      finish: async () => await NativePurchases.acknowledgePurchase({ purchaseToken: transactionId }),
    }
  return {
    provider: 'google',
    transactionId,
    productId,
    transactionParams: { productId, purchaseToken },
    finish: async () => {},
  }
}

function isCancelled(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return CANCELLED.has(error.message) || CANCELLED.has(Reflect.get(error, 'code'))
}
