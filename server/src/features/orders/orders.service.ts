import { isDeepStrictEqual } from 'node:util'
import type { Language } from '@ondine/contract/languages'
import { readAmount } from '@ondine/contract/money'
import { ORDER_SECONDS } from '@ondine/contract/orders'
import { and, eq, inArray, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { requireHeldAccount } from '../accounts/accounts.service.ts'
import { promotionOf, withPromotion } from '../offers/global-promotion.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { type ProviderPayment, ProviderSilent } from '../payments/payment-provider.ts'
import { findPayment, type Payment } from '../payments/payments.service.ts'
import { vatRate } from '../payments/vat-rates.ts'
import { discountsOf } from '../vouchers/voucher-terms.ts'
import { codeOfUse, type FoundVoucher, guessVoucher, takeUse } from '../vouchers/vouchers.service.ts'
import { type Buyer, type CartParts, cartLines, contentOf, requirePurchasable } from './cart.service.ts'
import { holdingsFor, type Line, requireFree, requireRequired } from './cart-rules.ts'
import { dueFor, isChargedAfterTrial, type Renewal, renewalsOf } from './due.ts'
import type { Order } from './execute-order.ts'
import { planOf } from './holdings.ts'
import { titleOf } from './offer-title.ts'
import { orderItems, orders } from './orders.table.ts'
import { type ChosenMethod, chooseMethod, requireCardForTrial, type SentMethod } from './payment-choice.ts'
import { requestOfOrder } from './payment-request.ts'
import { type SettleParts, settleKnown, trySettling } from './settle-order.ts'
import { type OpenOrder, storeOrder } from './store-order.ts'
import type { Subject } from './subjects.ts'

/** What orders are made with. */
export type OrderParts = CartParts & SettleParts

/** How a cart is to be paid. */
export interface Ask {
  method: SentMethod
  /** The code of a voucher, as it was typed. */
  voucher: string | undefined
  /** What the customer saw. */
  seen: SeenAmounts
  returnTo: URL
  /** Scheme and host of this site. */
  origin: string
}

/** The amounts that a customer saw before paying, as far as they were sent. */
export interface SeenAmounts {
  /** Due now. */
  amount?: string | undefined
  /** Later charges of all offers, in their order. */
  renewals?: readonly string[] | undefined
}

/** What a customer does next. */
export interface AskedPayment {
  order: Order
  /** The payment page; null when there is nothing to do there. */
  action: string | null
}

/**
 * Submits the cart as an order and begins its payment. The amount is computed here and never changes. Asked again, by however many
 * at once, the order that is open is answered, and one payment is made for it.
 *
 * @throws ServiceError with what is wrong, conflict where the customer saw other amounts; nothing is ordered then
 */
export async function askPayment(parts: OrderParts, buyer: Buyer, ask: Ask): Promise<AskedPayment> {
  const { db, book } = parts
  const lines = await cartLines({ db, book }, buyer.account.id)
  if (lines.length === 0) throw new ServiceError('nothingToPay')
  const subject = await requirePurchasable(parts, buyer, lines, null)
  const method = await chooseMethod(parts, buyer.account.id, ask.method)
  await closeExpired(parts, buyer)
  const voucher =
    ask.voucher === undefined ? undefined : await guessVoucher(db, buyer.account.id, ask.voucher, buyer.now)
  const { seen, returnTo } = ask
  const submitted = await submit(parts, buyer, { lines, subject, method, voucher, seen, returnTo })
  return await beginPayment(parts, submitted, method, ask.origin)
}

/** Orders that are past their time do not stand in the way of a new one, once the provider was asked. */
export async function closeExpired(parts: OrderParts, { account, now }: Buyer): Promise<void> {
  const late = await parts.db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, account.id), eq(orders.state, 'submitted'), lte(orders.expiresAt, now)))
  for (const order of late) await trySettling(parts, order)
}

/** What is submitted. */
interface Submission {
  lines: readonly Line[]
  subject: Subject | undefined
  method: ChosenMethod | undefined
  voucher: FoundVoucher | undefined
  seen: SeenAmounts
  returnTo: URL
}

/** The order of these lines: the one that is open, or a new one. */
async function submit(
  { db, book, vatRates, providers }: OrderParts,
  buyer: Buyer,
  { lines, subject, method, voucher, seen, returnTo }: Submission,
): Promise<OpenOrder> {
  const { account, language, now } = buyer
  const content = contentOf(lines)
  return await db.transaction(async (tx) => {
    const requireMethod = async (cents: number, savesCard: boolean) => {
      if (cents > 0 && method === undefined) throw new ServiceError('paymentDataMissing')
      if (savesCard) await requireCardForTrial({ db: tx, providers }, buyer, method)
    }
    // One order of an account at a time.
    const { id: accountId, addressCountry } = await requireHeldAccount(tx, account)
    const [open] = await tx
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.accountId, accountId),
          eq(orders.content, content),
          inArray(orders.state, ['submitted', 'to_execute']),
        ),
      )
    if (open) {
      // Its amount never changes: it is paid, or over in a quarter of an hour, before another voucher counts.
      if (voucher && !(await isOfVoucher(tx, open, voucher))) throw new ServiceError('conflict')
      requireSeen(seen, open.cents, await renewalsOfOrder(tx, open))
      await requireMethod(open.cents, open.cents === 0 && open.paymentId !== null)
      return await withPayment(tx, open)
    }
    // The cart may have been bought or changed since it was looked at.
    const held = await cartLines({ db: tx, book }, accountId)
    if (held.length === 0) throw new ServiceError('nothingToPay')
    if (contentOf(held) !== content) throw new ServiceError('conflict')
    const offers = lines.map(({ offer }) => offer)
    const holdings = await holdingsFor(tx, offers, accountId, now)
    requireFree(offers, holdings)
    requireRequired(offers, holdings)
    const due = lines.map(({ offer, assetId }) => {
      const promotion = promotionOf(offer, buyer.sells)
      const terms = withPromotion(offer.terms, promotion)
      const { cents: full, trialDays } = dueFor(terms, holdings.tried.has(planOf(offer)))
      const isTrial = isChargedAfterTrial(terms, trialDays)
      const item = { offerRevisionId: offer.revisionId, assetId, trialDays, promotion }
      return { key: offer.key, cents: full, isTrial, renewals: renewalsOf(terms, trialDays, now), item }
    })
    const discounts = voucher && discountsOf(voucher.terms, due)
    const discountCents = (discounts ?? []).reduce((sum, off) => sum + off, 0)
    // It is not for what is in the cart, or a gift's code.
    if (voucher && discountCents === 0) throw new ServiceError('invalidVoucher')
    const voucherUseId = voucher ? await takeUse(tx, { accountId, now }, voucher) : null
    const items = due.map(({ cents: full, item }, at) => {
      const off = discounts?.[at] ?? 0
      return { ...item, cents: full - off, discountCents: off }
    })
    const cents = items.reduce((sum, item) => sum + item.cents, 0)
    requireSeen(
      seen,
      cents,
      due.flatMap(({ renewals }) => renewals),
    )
    const savesCard = cents === 0 && due.some(({ isTrial }) => isTrial)
    await requireMethod(cents, savesCard)
    return await storeOrder(tx, {
      order: {
        accountId,
        content,
        cents,
        discountCents,
        voucherUseId,
        vatBasisPoints: vatRate(vatRates, addressCountry, now),
        submittedAt: now,
        expiresAt: now + ORDER_SECONDS * 1000,
      },
      items,
      payment:
        (cents > 0 || savesCard) && method !== undefined
          ? {
              provider: method.provider.name,
              description: descriptionOf(lines, subject, language),
              language,
              returnUrl: returnTo.href,
            }
          : undefined,
    })
  })
}

/** An order that is open, with the payment that was made for it. */
export async function withPayment(db: Database | Transaction, order: Order): Promise<OpenOrder> {
  return { order, payment: order.paymentId === null ? undefined : await findPayment(db, order.paymentId) }
}

/** Refuses what costs another amount than the customer saw, now or later. @throws ServiceError conflict */
function requireSeen({ amount, renewals }: SeenAmounts, cents: number, later: readonly Renewal[]): void {
  const isSame =
    (amount === undefined || readAmount(amount) === cents) &&
    (renewals === undefined ||
      isDeepStrictEqual(
        renewals.map(readAmount),
        later.map((each) => each.cents),
      ))
  if (!isSame) throw new ServiceError('conflict')
}

/** What is charged after an order that is open. */
async function renewalsOfOrder(tx: Transaction, { id, submittedAt }: Order): Promise<Renewal[]> {
  const items = await tx
    .select({ terms: offerRevisions.terms, trialDays: orderItems.trialDays, promotion: orderItems.promotion })
    .from(orderItems)
    .innerJoin(offerRevisions, eq(orderItems.offerRevisionId, offerRevisions.id))
    .where(eq(orderItems.orderId, id))
    .orderBy(orderItems.id)
  return items.flatMap(({ terms, trialDays, promotion }) =>
    renewalsOf(withPromotion(terms, promotion), trialDays, submittedAt),
  )
}

/** Whether an order was submitted with this code. */
async function isOfVoucher(
  tx: Transaction,
  { voucherUseId }: Order,
  { codeId }: FoundVoucher,
): Promise<boolean> {
  return voucherUseId !== null && (await codeOfUse(tx, voucherUseId)) === codeId
}

/** What the payment page says that is paid. */
function descriptionOf(lines: readonly Line[], subject: Subject | undefined, language: Language): string {
  const names = lines.map(({ offer }) => titleOf(offer, language))
  return [...names, ...(subject ? [subject.title] : [])].join(' · ')
}

/** Begins the payment of an order that is open, or begins it again after an interruption: its key makes it the same. */
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

/** Where nothing is due, a page is needed for a new card alone: a saved one is there, and it may be that none is asked for. */
async function begin(
  parts: OrderParts,
  { order, payment }: PaidOrder,
  { method, origin, now: paidAt }: { method: ChosenMethod | undefined; origin: string; now: number },
): Promise<ProviderPayment | undefined> {
  const isFree = payment.cents === 0
  if (isFree && method === undefined) return { state: 'succeeded', paidAt, method: null }
  // Its payment may be made where it was begun: elsewhere it would be another one, and both could be paid.
  if (payment.provider !== method?.provider.name) throw new ServiceError('paymentDataInvalid')
  if (isFree && method.saved) return { state: 'succeeded', paidAt, method: method.saved }
  return await askProvider(parts, { order, payment }, method, origin)
}

/** An order with its payment. */
interface PaidOrder {
  order: Order
  payment: Payment
}

/** @returns undefined when the provider left a charge unanswered: the order's status will find out what came of it */
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
    // Nothing can be paid without the page.
    throw new ServiceError('paymentProviderSilent', null, { cause: error })
  }
}

/** An order of the account; undefined for one of somebody else. */
export async function findOrder(db: Database, accountId: number, id: number): Promise<Order | undefined> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.accountId, accountId)))
  return order
}

/** How an order stands. While it is open the provider is asked, so that a notice that was lost is not missed. */
export async function orderStatus(parts: SettleParts, order: Order): Promise<Order> {
  const isOpen = order.state === 'submitted' || order.state === 'to_execute'
  return isOpen ? await trySettling(parts, order) : order
}
