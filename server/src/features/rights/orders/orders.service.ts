import { isDeepStrictEqual } from 'node:util'
import { ServiceError } from '../../../http/errors.ts'
import { type ProviderPayment } from '../payments/payment-provider.ts'
import type { Payment } from '../payments/payments.service.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { guessVoucher } from '../vouchers/vouchers.service.ts'
import {
  type Buyer,
  type CartParts,
  emptyCart,
  linesOf,
  requirePurchasable,
  requireUnchanged,
} from './cart.service.ts'
import type { Line } from './cart-rules.ts'
import type { Order } from './execute-order.ts'
import { type ChosenMethod, readMethod, type SentMethod } from './payment-choice.ts'
import { requestOfOrder } from './payment-request.ts'
import type { FindOrder } from './read-orders.ts'
import { openCartReads, openOrderReads } from './read-orders.ts'
import { openCarts } from './replace-cart.ts'
import { type SettleParts, settleKnown, trySettling } from './settlement.service.ts'
import type { OpenOrder } from './store-order.ts'
import type { SeenAmounts, SubmitCart, SubmittedCart, SubmittedOrder } from './submit-cart.ts'
import { openSubmission, type SubmitParts } from './submit-cart.ts'
import { openTakeOver, type TakeOverParts } from './take-over.ts'

/** Dependencies of orders. */
export type OrderParts = CartParts & SettleParts & { submitCart: SubmitCart; findOrder: FindOrder }

/** A customer's request to pay the cart. */
export interface Ask {
  method: SentMethod
  /** The code of a voucher, as the customer typed it. */
  voucher: string | undefined
  seen: SeenCart
  returnTo: URL
  /** Scheme and host of this site. */
  origin: string
}

/** The cart that the customer saw before paying, as far as the call contains it. */
interface SeenCart extends SeenAmounts {
  /** The offers, each with the title that it buys. */
  lines?: readonly { idOption: number; idAsset: number | null }[] | undefined
}

/** The order after a request to pay, with the customer's next step. */
export interface AskedPayment {
  order: Order
  /** Address of the payment page; null if the customer need not open a page. */
  action: string | null
}

/**
 * Submits the cart as an order and begins its payment. The amount is computed here and never changes. Repeated and
 * concurrent requests return the open order, so that only one payment begins.
 *
 * @throws ServiceError with the reason; conflict if the customer saw another cart; the errors of
 * {@link requireUnchanged}. After an error, nothing is ordered. After resourceNotActive, the cart no longer has the
 * offers that cannot be bought
 */
export async function askPayment(parts: OrderParts, buyer: Buyer, ask: Ask): Promise<AskedPayment> {
  const { db, book } = parts
  const rows = await parts.readCart(buyer.account.id)
  await requireUnchanged(parts, buyer, rows)
  const lines = linesOf(book, rows)
  if (lines.length === 0) throw new ServiceError('nothingToPay')
  requireSeenLines(ask.seen.lines, lines)
  const subject = await requirePurchasable(parts, buyer, lines, null).catch(async (error) => {
    // The title is no longer available, or the operator no longer sells offers of this type. Then this is true of the
    // whole cart: it has one title, or only subscriptions.
    if (error instanceof ServiceError && error.error === 'resourceNotActive')
      await emptyCart(
        parts,
        buyer,
        lines.map(({ offer }) => offer.id),
      )
    throw error
  })
  const method = readMethod(parts.providers, ask.method)
  const voucher =
    ask.voucher === undefined ? undefined : await guessVoucher(db, buyer.account.id, ask.voucher, buyer.now)
  const { seen, returnTo } = ask
  const submitted = await submit(parts, { buyer, lines, subject, method, voucher, seen, returnTo })
  return await beginPayment(parts, submitted, submitted.method, ask.origin)
}

/**
 * Rejects a cart if the customer saw other offers or titles.
 *
 * @throws ServiceError conflict
 */
function requireSeenLines(seen: SeenCart['lines'], lines: readonly Line[]): void {
  const held = lines.map(({ offer, assetId }) => ({ idOption: offer.id, idAsset: assetId }))
  if (seen !== undefined && !isDeepStrictEqual(seen, held)) throw new ServiceError('conflict')
}

/** Submits a cart. Settles the expired orders of the account first, if it has any. */
async function submit(parts: OrderParts, cart: SubmittedCart): Promise<SubmittedOrder> {
  const submitted = await parts.submitCart(cart)
  if (!('late' in submitted)) return submitted
  for (const order of submitted.late) await trySettling(parts, order)
  return await submit(parts, { ...cart, isBesideLate: true })
}

/**
 * Begins the payment of an open order. Can be repeated after an interruption, because the provider recognises the
 * payment by its key.
 */
export async function beginPayment(
  parts: OrderParts,
  { order, payment }: OpenOrder,
  method: ChosenMethod | undefined,
  origin: string,
): Promise<AskedPayment> {
  const now = parts.clock.now()
  const known = payment && (await begin(parts, { order, payment }, { method, origin, now }))
  if (known?.state === 'open' && order.state === 'submitted') return { order, action: known.action }
  return { order: await settleKnown(parts, { orderId: order.id, known, at: now }), action: null }
}

/**
 * Begins a payment at its provider, unless no money is due and no new card is entered. For an order of 0 cents,
 * the payment page only saves a new card.
 */
async function begin(
  parts: OrderParts,
  { order, payment }: PaidOrder,
  { method, origin, now: paidAt }: { method: ChosenMethod | undefined; origin: string; now: number },
): Promise<ProviderPayment | undefined> {
  const isFree = payment.cents === 0
  if (isFree && method === undefined) return { state: 'succeeded', paidAt, method: null }
  // A payment cannot move to another provider: the customer could then pay at both.
  if (payment.provider !== method?.provider.name) throw new ServiceError('paymentDataInvalid')
  if (isFree && method.saved) return { state: 'succeeded', paidAt, method: method.saved }
  return await askProvider(parts, { order, payment }, method, origin)
}

/** An order with its payment. */
interface PaidOrder {
  order: Order
  payment: Payment
}

/**
 * Requests a payment from the provider.
 *
 * @returns undefined if the provider did not answer the request to charge a saved card. The settlement of the order
 * then queries the state of the payment
 * @throws ServiceError `paymentProviderSilent` if the provider did not open a payment page
 */
async function askProvider(
  { log }: OrderParts,
  { order, payment }: PaidOrder,
  { provider, saved }: ChosenMethod,
  origin: string,
): Promise<ProviderPayment | undefined> {
  const request = requestOfOrder(order, payment, origin)
  try {
    return saved ? await provider.charge(request, saved.reference) : await provider.start(request)
  } catch (error) {
    if (!(error instanceof ProviderSilent)) throw error
    log.warn({ err: error, payment: payment.id }, 'the payment provider does not answer')
    if (saved) return undefined
    // Without the payment page, the customer cannot pay.
    throw new ServiceError('paymentProviderSilent', null, { cause: error })
  }
}

/**
 * Returns an order with its current state. For an open order, queries the provider first, because a notice may
 * have been lost.
 */
export async function orderStatus(parts: SettleParts, order: Order): Promise<Order> {
  const isOpen = order.state === 'submitted' || order.state === 'to_execute'
  return isOpen ? await trySettling(parts, order) : order
}

/**
 * Adds the checkout steps that handle concurrent calls together in slices. Callers must share the returned object,
 * because each object has its own slices.
 */
export function openCheckout<Parts extends SubmitParts & TakeOverParts>(parts: Parts) {
  return {
    ...parts,
    readCart: openCartReads(parts),
    replaceCart: openCarts(parts),
    submitCart: openSubmission(parts),
    takeOver: openTakeOver(parts),
    findOrder: openOrderReads(parts),
  }
}
