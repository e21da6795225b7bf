import { isDeepStrictEqual } from 'node:util'
import { isLanguage, type Language } from '@ondine/contract/languages'
import { readAmount } from '@ondine/contract/money'
import { ORDER_SECONDS } from '@ondine/contract/orders'
import { and, eq, inArray } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { inRounds, inSlices, limitLockWaits } from '../../../database/in-slices.ts'
import { oneOf } from '../../../database/one-of.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { ServiceError } from '../../../http/errors.ts'
import { textIn } from '../../../metadata/texts.ts'
import { type VatRates, vatRate } from '../../../money/vat-rates.ts'
import { type Account, holdAccounts, requireUsable } from '../../people/accounts/accounts.service.ts'
import type { CurrentOffer, OfferBook } from '../offers/offer-book.service.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { promotionOf, withPromotion } from '../offers/promotions.service.ts'
import { type PaymentProviders, type SavedMethod, savedMethodsOf } from '../payments/payments.service.ts'
import { codeOfUse, discountsOf, type FoundVoucher, takeUse } from '../vouchers/vouchers.service.ts'
import { allCartRows, type Buyer, type CartRow, contentOf, linesOf } from './cart.service.ts'
import { holdingsForAll, type Line, requireFree, requireRequired } from './cart-rules.ts'
import { dueFor, isChargedAfterTrial, type Renewal, renewalsOf } from './due.ts'
import type { Order } from './execute-order.ts'
import { type AllHoldings, planOf } from './holdings.service.ts'
import { titleOf } from './offer-title.ts'
import { orderItems, orders } from './orders.table.ts'
import { type AskedMethod, type ChosenMethod, cardForTrial, findMethod } from './payment-choice.ts'
import { refusalOr } from './refusals.ts'
import { type NewOrder, type OpenOrder, storeOrders, withPayment } from './store-order.ts'
import type { Subject } from './subjects.ts'

/** Dependencies of submitting carts. */
export interface SubmitParts {
  db: Database
  log: FastifyBaseLogger
  book: OfferBook
  vatRates: VatRates
  providers: PaymentProviders
}

/** A cart to submit. */
export interface SubmittedCart {
  buyer: Buyer
  lines: readonly Line[]
  subject: Subject | undefined
  method: AskedMethod | undefined
  voucher: FoundVoucher | undefined
  seen: SeenAmounts
  returnTo: URL
  /**
   * Whether the expired orders of the account were already settled, as far as possible. If true, the cart is
   * submitted even if some of these orders are still open.
   */
  isBesideLate?: boolean
}

/** Amounts that the customer saw before paying, if the call contains them. Amounts are decimal text in euros. */
export interface SeenAmounts {
  /** Amount due now. */
  amount?: string | undefined
  /** Later charges of all offers, in the order of the offers. */
  renewals?: readonly string[] | undefined
}

/** Expired orders of the account, which must be settled before the cart can be submitted. */
interface LateOrders {
  late: Order[]
}

/** The order of a cart, with its payment method. */
export interface SubmittedOrder extends OpenOrder {
  method: ChosenMethod | undefined
}

/**
 * Submits a cart as an order. The amount is computed here and never changes.
 *
 * @returns the open order with the same lines, or a new order. Returns the expired orders of the account instead,
 * if they must be settled first
 * @throws ServiceError with the reason; nothing is ordered then
 */
export type SubmitCart = (cart: SubmittedCart) => Promise<SubmittedOrder | LateOrders>

/** Returns the function that submits carts. Concurrent calls share one transaction (docs/decisions/0064). */
export function openSubmission(parts: SubmitParts): SubmitCart {
  const submitAll = async (carts: readonly SubmittedCart[]) =>
    await retryOnDeadlock(
      async () =>
        await parts.db.transaction(async (tx) => {
          await limitLockWaits(tx, carts)
          const submitted: Submitted = new Map()
          for (const some of inRounds(carts, ({ buyer }) => buyer.account.id))
            for (const [cart, outcome] of await submitSome(tx, parts, some)) submitted.set(cart, outcome)
          return carts.map((cart) => submitted.get(cart) ?? new Error('A cart was not submitted.'))
        }),
    )
  return inSlices({ log: parts.log, together: submitAll })
}

/** Outcomes of submitted carts. */
type Submitted = Map<SubmittedCart, SubmittedOrder | LateOrders | Error>

/** Submits the carts of different accounts. Checks everything before it writes anything. */
async function submitSome(
  tx: Transaction,
  parts: SubmitParts,
  carts: readonly SubmittedCart[],
): Promise<Submitted> {
  const ids = carts.map(({ buyer }) => buyer.account.id)
  // Lock the accounts, so that concurrent calls of an account submit only one order.
  const accounts = await holdAccounts(tx, ids)
  const open = await openOrdersOf(tx, ids)
  // A cart may have been bought or changed since the caller read it.
  const rows = await allCartRows(tx, ids)
  const saved = await savedMethodsOf(tx, ids)
  const holdings = await holdingsForAll(
    tx,
    carts.map(({ buyer, lines }) => ({
      accountId: buyer.account.id,
      offers: lines.map(({ offer }) => offer),
    })),
    Math.max(...carts.map(({ buyer }) => buyer.now)),
  )
  const submitted: Submitted = new Map()
  const made: (MadeOrder & { cart: SubmittedCart })[] = []
  for (const cart of carts) {
    const { id, since } = cart.buyer.account
    const outcome = await refusalOr(async () => {
      const account = requireUsable(accounts.get(id), since)
      const others = open.get(id) ?? []
      const late = cart.isBesideLate ? [] : others.filter((order) => isLate(order, cart.buyer.now))
      if (late.length > 0) return { late }
      const cards = saved.get(id) ?? []
      const method = findMethod(cart.method, cards)
      const same = others.find(({ content }) => content === contentOf(cart.lines))
      if (same) return await openAgain(tx, parts, { cart, method, cards }, same)
      const known = { account, rows: rows.get(id) ?? [], holdings }
      made.push({ cart, ...newOrder(parts, { cart, method, cards }, known) })
      return undefined
    })
    if (outcome) submitted.set(cart, outcome)
  }
  for (const each of made.toSorted(byCode)) {
    // Count the use of the voucher only after all other checks, so that a cart that fails one of these checks
    // writes nothing.
    const { voucher, buyer } = each.cart
    if (voucher === undefined) continue
    const use = await refusalOr(
      async () => await takeUse(tx, { accountId: buyer.account.id, now: buyer.now }, voucher),
    )
    if (use instanceof Error) submitted.set(each.cart, use)
    else each.order.order.voucherUseId = use
  }
  const accepted = made.filter(({ cart }) => !submitted.has(cart))
  const stored = await storeOrders(
    tx,
    accepted.map(({ order }) => order),
  )
  const byAccount = new Map(stored.map((each) => [each.order.accountId, each]))
  for (const { cart, method } of accepted) {
    const its = byAccount.get(cart.buyer.account.id)
    if (its) submitted.set(cart, { ...its, method })
  }
  return submitted
}

/**
 * Compares carts by the id of their voucher code. Every transaction counts uses in this sequence, to prevent
 * deadlocks.
 */
function byCode(one: { cart: SubmittedCart }, other: { cart: SubmittedCart }): number {
  return (one.cart.voucher?.codeId ?? 0) - (other.cart.voucher?.codeId ?? 0)
}

/** Returns the open orders of accounts, by account. */
async function openOrdersOf(tx: Transaction, accountIds: readonly number[]): Promise<Map<number, Order[]>> {
  const open = await tx
    .select()
    .from(orders)
    .where(and(oneOf(orders.accountId, accountIds), inArray(orders.state, ['submitted', 'to_execute'])))
    .prepare('open_orders')
    .execute()
  return Map.groupBy(open, ({ accountId }) => accountId)
}

function isLate({ state, expiresAt }: Order, now: number): boolean {
  return state === 'submitted' && expiresAt <= now
}

/**
 * Returns the open order of the same cart. Its amount never changes, so another voucher is rejected: the customer
 * must wait until this order is paid or has expired, after 15 minutes.
 */
async function openAgain(
  tx: Transaction,
  parts: SubmitParts,
  paid: PaidCart,
  open: Order,
): Promise<SubmittedOrder> {
  const { voucher, seen } = paid.cart
  if (voucher && !(await isOfVoucher(tx, open, voucher))) throw new ServiceError('conflict')
  requireSeen(seen, open.cents, await renewalsOfOrder(tx, open))
  const method = requireMethod(parts, paid, {
    cents: open.cents,
    savesCard: open.cents === 0 && open.paymentId !== null,
  })
  return { ...(await withPayment(tx, open)), method }
}

/** A cart with its payment method and the cards of its account. */
interface PaidCart {
  cart: SubmittedCart
  method: ChosenMethod | undefined
  cards: readonly SavedMethod[]
}

/** Data of an account that is read for the submission of its cart. */
interface Known {
  account: Account
  rows: readonly CartRow[]
  holdings: AllHoldings
}

/** A new order, with its payment method. */
interface MadeOrder {
  order: NewOrder
  method: ChosenMethod | undefined
}

/** Returns the order of a cart. The caller must still count the use of the voucher. */
function newOrder(
  parts: SubmitParts,
  paid: PaidCart,
  { account: { id: accountId, addressCountry }, rows, holdings }: Known,
): MadeOrder {
  const { buyer, lines, subject, voucher, seen, returnTo } = paid.cart
  const { language, now } = buyer
  const content = contentOf(lines)
  const held = linesOf(parts.book, rows)
  if (held.length === 0) throw new ServiceError('nothingToPay')
  if (contentOf(held) !== content) throw new ServiceError('conflict')
  const offers = lines.map(({ offer }) => offer)
  const its = holdings.of(accountId)
  requireFree(offers, its)
  requireRequired(offers, its)
  const due = lines.map(({ offer, assetId }) => {
    const promotion = promotionOf(offer, buyer.sells)
    const terms = withPromotion(offer.terms, promotion)
    const first = dueFor(terms, its.tried.has(planOf(offer)))
    const { cents: full, trialDays } = first
    const isTrial = isChargedAfterTrial(terms, first)
    const names = offer.type === 'subscription' ? null : namesOf(offer, subject)
    const item = { offerRevisionId: offer.revisionId, assetId, names, trialDays, promotion }
    return { key: offer.key, cents: full, isTrial, renewals: renewalsOf(terms, trialDays, now), item }
  })
  const discounts = voucher && discountsOf(voucher.terms, due)
  const discountCents = (discounts ?? []).reduce((sum, off) => sum + off, 0)
  // The voucher does not apply to these offers, or gives a plan instead of a discount.
  if (voucher && discountCents === 0) throw new ServiceError('invalidVoucher')
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
  const method = requireMethod(parts, paid, { cents, savesCard })
  const order: NewOrder = {
    order: {
      accountId,
      content,
      cents,
      discountCents,
      vatBasisPoints: vatRate(parts.vatRates, addressCountry, now),
      submittedAt: now,
      expiresAt: now + ORDER_SECONDS * 1000,
    },
    items,
    payment:
      (cents > 0 || savesCard) && method !== undefined
        ? {
            provider: method.provider.name,
            description: descriptionOf(offers, subject, language),
            language,
            returnUrl: returnTo.href,
          }
        : undefined,
  }
  return { order, method }
}

/**
 * Returns the payment method of an order. Rejects a cart if money is due and no payment method was chosen. Requires a
 * card for a trial of which nothing is due.
 *
 * @throws ServiceError paymentDataMissing, paymentDataInvalid
 */
function requireMethod(
  { providers }: SubmitParts,
  { cart: { buyer }, method, cards }: PaidCart,
  { cents, savesCard }: { cents: number; savesCard: boolean },
): ChosenMethod | undefined {
  if (cents > 0 && method === undefined) throw new ServiceError('paymentDataMissing')
  return savesCard ? cardForTrial(providers, buyer, { method, cards }) : method
}

/**
 * Rejects an order if the customer saw another amount due now, or other later charges.
 *
 * @throws ServiceError conflict
 */
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

/** Returns the later charges of an open order. */
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

/** Returns whether an order was submitted with the code of this voucher. */
async function isOfVoucher(
  tx: Transaction,
  { voucherUseId }: Order,
  { codeId }: FoundVoucher,
): Promise<boolean> {
  return voucherUseId !== null && (await codeOfUse(tx, voucherUseId)) === codeId
}

/**
 * Returns the description of a purchase for the payment page: the names of the offers, and the title or channel of
 * a one-time purchase.
 */
function descriptionOf(
  offers: readonly CurrentOffer[],
  subject: Subject | undefined,
  language: Language,
): string {
  const names = offers.map((offer) => titleOf(offer, language))
  return [...names, ...(subject ? [textIn(subject.titles, language)] : [])].join(' · ')
}

/** Returns the names of a one-time purchase, in each language of its offer or its title. */
function namesOf(offer: CurrentOffer, subject: Subject | undefined): LocalisedText {
  const languages = Object.keys({ ...offer.terms.names, ...subject?.titles }).filter(isLanguage)
  return Object.fromEntries(
    languages.map((language) => [language, descriptionOf([offer], subject, language)]),
  )
}
