import type { OutputOf } from '@ondine/contract/operation'
import { linkStorePurchase } from '@ondine/contract/store-purchases'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { deviceStore, type StorePurchase } from '../../../api/device-store.ts'
import { keep, kept } from '../../../api/kept.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import type { SoldContent } from './offer-paths.ts'
import { purchased } from './purchased.ts'
import { PendingPurchase } from './store-pending.ts'
import type { StoreProduct } from './store-product.ts'

/**
 * Prefixes of the names under which the app stores the content of a purchase, because the store does not know which
 * title or channel is bought: by product while the payment dialog is open, by product while the purchase is pending,
 * and by purchase from its payment until it is linked.
 */
const CHOSEN = 'bought '
const PENDING = 'pending '
const PAID = 'paid '

/** Error code of a purchase that another account has (`optionAlreadyAdded`). It gives this account nothing. */
const OF_ANOTHER = -2333

/** Error code of a purchase that the store does not confirm, or that the service cannot check (`paymentDataInvalid`). */
const NOT_CONFIRMED = -2109

/**
 * Error codes of a paid purchase that the service cannot deliver as it is: `contentIdMissing`, `contentTypeMissing`,
 * `notFound` (the title), `resourceNotActive` (no offer has the product), `paymentDataMissing`.
 */
const UNDELIVERABLE: ReadonlySet<number> = new Set([-3010, -3011, -404, -1605, -2108])

/** Purchases that the store has reported and that are not linked, by {@link keyOf}. */
const unlinked = new Map<string, StorePurchase>()

/** The product whose payment dialog is open. */
let dialogOf: string | undefined

/**
 * Buys a product in the store of the device, and links the purchase to the account (A1-01, A7.3-01). Links earlier
 * purchases of the product first, and buys nothing if one of them is for the same content.
 *
 * @param content the title or channel of a single purchase
 * @param parentalProof the proof of the parental code, if the purchase requires it
 * @returns whether the account has the purchase; false if the viewer cancelled
 * @throws ApiError if the service refuses the purchase, or cannot link an earlier one for now; PendingPurchase; Error with
 * the store's reason if the store fails
 */
export async function buyInStore(
  queries: QueryClient,
  product: StoreProduct,
  content: SoldContent | undefined,
  parentalProof: string | undefined,
): Promise<boolean> {
  const linkNow = async (purchase: StorePurchase) =>
    await withParentalCode(async (proof = parentalProof) => await link(purchase, proof))
  for (const earlier of [...unlinked.values()].filter(({ productId }) => productId === product.id)) {
    const paid = contentOf(earlier)
    const linked = await linkNow(earlier).catch(async (error: unknown) => await handleRefusal(error, earlier))
    if (linked === null) return false
    if (linked === undefined) continue
    if (linked.isActive && isSame(paid, content)) {
      await purchased(queries, { transactionId: earlier.transactionId })
      return true
    }
    await askUnlockedAnew(queries)
  }
  const purchase = await buy(product, content)
  if (purchase === null || (await linkNow(purchase)) === null) return false
  await purchased(queries, { transactionId: purchase.transactionId })
  return true
}

/** Opens the store's payment dialog. @returns null if the viewer cancels */
async function buy(product: StoreProduct, content: SoldContent | undefined): Promise<StorePurchase | null> {
  const chosen = CHOSEN + product.id
  keepAbandoned(product.id)
  // The app can be closed before the store answers.
  if (content !== undefined) keep(chosen, JSON.stringify(content))
  dialogOf = product.id
  try {
    const purchase = (await deviceStore()?.buy(product)) ?? null
    if (purchase !== null) {
      const paid = PAID + keyOf(purchase)
      if (content !== undefined && kept(paid) === undefined) keep(paid, JSON.stringify(content))
      unlinked.set(keyOf(purchase), purchase)
    }
    return purchase
  } catch (error) {
    if (error instanceof PendingPurchase && content !== undefined) addPending(product.id, content)
    throw error
  } finally {
    keep(chosen, '', 0)
    dialogOf = undefined
  }
}

/**
 * Links purchases of the device's owner to the account: interrupted purchases, and purchases on another device or
 * in the settings of the store. The service accepts a purchase that the account already has.
 */
export async function followStore(queries: QueryClient): Promise<void> {
  await deviceStore()?.follow((purchase) => void linkLater(queries, purchase))
}

async function linkLater(queries: QueryClient, purchase: StorePurchase): Promise<void> {
  unlinked.set(keyOf(purchase), purchase)
  try {
    await link(purchase, undefined)
    await askUnlockedAnew(queries)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isFinal(error)) await handleRefusal(error, purchase)
    // The next start of the app tries again.
    else console.warn('A purchase could not be linked', error)
  }
}

function isFinal({ code }: ApiError): boolean {
  return code === OF_ANOTHER || code === NOT_CONFIRMED || UNDELIVERABLE.has(code)
}

/**
 * Handles that the service refuses a purchase for good. Forgets the purchase, unless the viewer has paid for it: then
 * reports the fault, and the next start of the app tries again. @throws all other errors
 */
async function handleRefusal(error: unknown, purchase: StorePurchase): Promise<undefined> {
  if (!(error instanceof ApiError && isFinal(error))) throw error
  // The App Store does not list a single purchase again, and the operator's settings may be wrong for now.
  const isLost = error.code === NOT_CONFIRMED && purchase.provider === 'apple'
  if (isLost || UNDELIVERABLE.has(error.code)) {
    reportFault(error)
    return
  }
  // Its content stays stored. Google may confirm the purchase later, and reports it again then.
  unlinked.delete(keyOf(purchase))
  await purchase.finish()
}

async function link(
  purchase: StorePurchase,
  parentalProof: string | undefined,
): Promise<OutputOf<typeof linkStorePurchase>> {
  const { provider, transactionId, transactionParams, finish } = purchase
  const linked = await call(linkStorePurchase, {
    provider,
    transactionId,
    transactionParams: { ...transactionParams, ...contentOf(purchase) },
    parentalProof,
  })
  keep(PAID + keyOf(purchase), '', 0)
  unlinked.delete(keyOf(purchase))
  await finish()
  return linked
}

/**
 * Returns the content of a purchase. If the purchase has none yet, gives it that of a pending purchase of its product, or
 * of a dialog during which the app was closed. The content of an open dialog belongs to another purchase.
 */
function contentOf(purchase: StorePurchase): SoldContent | undefined {
  const { productId } = purchase
  const paid = PAID + keyOf(purchase)
  const known = kept(paid)
  if (known !== undefined) return JSON.parse(known)
  if (dialogOf !== productId) keepAbandoned(productId)
  const [content, ...others] = pendingOf(productId)
  if (content === undefined) return undefined
  keep(paid, JSON.stringify(content))
  keepPending(productId, others)
  return content
}

/** Treats the content of a dialog during which the app was closed as pending: the store may still report its purchase. */
function keepAbandoned(productId: string): void {
  const abandoned = kept(CHOSEN + productId)
  if (abandoned === undefined) return
  addPending(productId, JSON.parse(abandoned))
  keep(CHOSEN + productId, '', 0)
}

/**
 * Returns the contents of the pending purchases of a product, the newest first. The store does not report a declined
 * purchase, so an older one is less likely to be approved.
 */
function pendingOf(productId: string): SoldContent[] {
  return JSON.parse(kept(PENDING + productId) ?? '[]')
}

function addPending(productId: string, content: SoldContent): void {
  keepPending(productId, [content, ...pendingOf(productId).filter((other) => !isSame(other, content))])
}

function keepPending(productId: string, contents: SoldContent[]): void {
  keep(PENDING + productId, JSON.stringify(contents), contents.length === 0 ? 0 : undefined)
}

/** Returns the id of a purchase in its store. */
function keyOf({ transactionId, transactionParams: { purchaseToken } }: StorePurchase): string {
  return purchaseToken ?? transactionId
}

function isSame(one: SoldContent | undefined, other: SoldContent | undefined): boolean {
  return one?.contentId === other?.contentId && one?.contentType === other?.contentType
}
