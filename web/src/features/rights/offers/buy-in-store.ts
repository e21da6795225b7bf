import { linkStorePurchase } from '@ondine/contract/store-purchases'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { deviceStore, type StorePurchase } from '../../../api/device-store.ts'
import { keep, kept } from '../../../api/kept.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import type { SoldContent } from './offer-paths.ts'
import type { StoreProduct } from './store-product.ts'

/** Prefix of the names under which the app stores the content of a purchase until the purchase is linked. */
const BOUGHT = 'bought '

/**
 * Buys a product in the store of the device, and links the purchase to the account (A1-01, A7.3-01).
 *
 * @param content the title or channel of a single purchase
 * @param parentalProof the proof of the parental code, if the purchase requires it
 * @returns whether the account has the purchase; false if the viewer cancelled
 * @throws ApiError if the service refuses the purchase, and Error with the store's reason if the store fails
 */
export async function buyInStore(
  queries: QueryClient,
  product: StoreProduct,
  content: SoldContent | undefined,
  parentalProof: string | undefined,
): Promise<boolean> {
  // The store does not know which title or channel is bought. The app stores this content, because the app can be
  // closed before the purchase is linked.
  if (content !== undefined) keep(BOUGHT + product.id, JSON.stringify(content))
  const purchase = await deviceStore()?.buy(product)
  if (purchase == null) return false
  const linked = await withParentalCode(async (proof = parentalProof) => await link(purchase, proof))
  if (linked === null) return false
  await askUnlockedAnew(queries)
  return true
}

/**
 * Links purchases of the device's owner to the account: interrupted purchases, and purchases on another device or
 * in the settings of the store. The service accepts a purchase that the account already has.
 */
export async function followStore(queries: QueryClient): Promise<void> {
  await deviceStore()?.follow((purchase) => void linkLater(queries, purchase))
}

async function linkLater(queries: QueryClient, purchase: StorePurchase): Promise<void> {
  try {
    await link(purchase, undefined)
    await askUnlockedAnew(queries)
  } catch (error) {
    // The service refuses a purchase of another account. If the service does not answer, the next start of the app
    // tries again.
    if (!(error instanceof ApiError)) throw error
    if (error.code === NO_ANSWER) console.warn('A purchase could not be linked', error)
  }
}

async function link(
  { provider, transactionId, transactionParams, productId, finish }: StorePurchase,
  parentalProof: string | undefined,
): Promise<void> {
  const content: SoldContent | undefined = JSON.parse(kept(BOUGHT + productId) ?? 'null') ?? undefined
  await call(linkStorePurchase, {
    provider,
    transactionId,
    transactionParams: { ...transactionParams, ...content },
    parentalProof,
  })
  keep(BOUGHT + productId, '', 0)
  await finish()
}
