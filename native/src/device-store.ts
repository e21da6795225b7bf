import { Capacitor } from '@capacitor/core'
import { NativePurchases, PURCHASE_TYPE, type Transaction } from '@capgo/native-purchases'
import type { AppStore, StorePurchase } from '@ondine/web/api/device-store'
import { keep, kept } from '@ondine/web/api/kept'
import { PendingPurchase } from '@ondine/web/features/rights/offers/store-pending'

/** Error messages of the plugin for a purchase that the viewer cancelled, on iOS and on Android. */
const CANCELLED: ReadonlySet<unknown> = new Set(['User cancelled', 'USER_CANCELED'])
/** Error messages of the plugin for a purchase that waits for a step outside of the app, on iOS and on Android. */
const PENDING: ReadonlySet<unknown> = new Set(['Transaction pending', 'Purchase is pending'])
/** Error message of the plugin on iOS for a transaction that is finished already. The plugin has no error codes. */
const FINISHED = /already finished/i

/** The data of a transaction that the app needs to link it. */
type Bought = Pick<
  Transaction,
  'transactionId' | 'productIdentifier' | 'productType' | 'jwsRepresentation' | 'purchaseToken'
>

/** Storage key of the single purchases that are not linked. */
const UNFINISHED = 'unfinished purchases'

/** Transactions that the store has reported before {@link DEVICE_STORE} has a listener, by id. */
const early = new Map<string, Bought>()
let listener: ((purchase: StorePurchase) => void) | undefined

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
      remember(bought)
      if (bought.productIdentifier === id) return purchaseOf(bought)
      // Google answers the open dialog with whichever purchase it reports first, such as an approval of another product.
      listener?.(purchaseOf(bought))
      return null
    } catch (error) {
      if (isCancelled(error)) return null
      if (error instanceof Error && PENDING.has(error.message))
        throw new PendingPurchase(error.message, { cause: error })
      throw error
    }
  },
  follow: async (tell) => {
    listener = tell
    const waiting = new Map([...unfinished().map((each) => [each.transactionId, each] as const), ...early])
    early.clear()
    for (const each of waiting.values()) tell(purchaseOf(each))
    const { purchases } = await NativePurchases.getPurchases({ onlyCurrentEntitlements: true })
    for (const each of purchases) if (!waiting.has(each.transactionId)) tell(purchaseOf(each))
  },
}

/**
 * Receives the transactions that the store reports. Call this as early as possible: on iOS, the plugin finishes
 * interrupted transactions when the app starts, and reports each of them only once.
 */
export async function listenForPurchases(): Promise<void> {
  await NativePurchases.addListener('transactionUpdated', (transaction) => {
    // The store tells the service of a refund itself.
    if (transaction.revocationDate !== undefined) {
      forget(transaction.transactionId)
      early.delete(transaction.transactionId)
      return
    }
    remember(transaction)
    if (listener === undefined) early.set(transaction.transactionId, transaction)
    else listener(purchaseOf(transaction))
  })
}

function unfinished(): Bought[] {
  return JSON.parse(kept(UNFINISHED) ?? '[]')
}

/**
 * Stores a single purchase until it is linked, because the App Store does not list consumables. Subscriptions
 * need no storage: the store lists them at each start.
 */
function remember({
  transactionId,
  productIdentifier,
  productType,
  jwsRepresentation,
  purchaseToken,
}: Bought): void {
  if (productType === PURCHASE_TYPE.SUBS) return
  const bought = { transactionId, productIdentifier, productType, jwsRepresentation, purchaseToken }
  const others = unfinished().filter((each) => each.transactionId !== transactionId)
  keep(UNFINISHED, JSON.stringify([...others, bought]))
}

function forget(transactionId: string): void {
  const others = unfinished().filter((each) => each.transactionId !== transactionId)
  keep(UNFINISHED, JSON.stringify(others), others.length === 0 ? 0 : undefined)
}

async function finishAtApple(transactionId: string): Promise<void> {
  try {
    await NativePurchases.acknowledgePurchase({ purchaseToken: transactionId })
  } catch (error) {
    if (!(error instanceof Error && FINISHED.test(error.message))) throw error
  }
}

function purchaseOf(transaction: Bought): StorePurchase {
  const { transactionId, productIdentifier: productId, jwsRepresentation, purchaseToken } = transaction
  if (IOS)
    return {
      provider: 'apple',
      transactionId,
      productId,
      transactionParams: { signedTransaction: jwsRepresentation },
      finish: async () => {
        await finishAtApple(transactionId)
        forget(transactionId)
      },
    }
  return {
    provider: 'google',
    transactionId,
    productId,
    transactionParams: { productId, purchaseToken },
    finish: async () => forget(transactionId),
  }
}

function isCancelled(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return CANCELLED.has(error.message) || CANCELLED.has(Reflect.get(error, 'code'))
}
