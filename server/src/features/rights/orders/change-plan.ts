import { readAmount } from '@ondine/contract/money'
import { ORDER_SECONDS } from '@ondine/contract/orders'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { notFoundBy, ServiceError } from '../../../http/errors.ts'
import { vatRate } from '../../../money/vat-rates.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import { chargeable, type PaymentProviders } from '../payments/payments.service.ts'
import { hasCardFor, holdSubscription, withoutChange } from './account-subscriptions.ts'
import type { Buyer } from './cart.service.ts'
import { voidDue } from './end-subscriptions.ts'
import type { Order } from './execute-order.ts'
import { titleOf } from './offer-title.ts'
import { type AskedPayment, beginPayment, type OrderParts } from './orders.service.ts'
import { orders, subscriptions } from './orders.table.ts'
import { type ChosenMethod, canPay, chooseMethod, type SentMethod } from './payment-choice.ts'
import { type PlanChange, planChanges } from './plan-changes.ts'
import { trySettling } from './settlement.service.ts'
import { type OpenOrder, storeOrder, withPayment } from './store-order.ts'
import { writeDown } from './subscription-emails.ts'
import { nextPeriod } from './subscription-periods.ts'

/** A customer's request to change a plan. */
export interface ChangeAsk {
  subscriptionId: number
  offerId: number
  /** The offer revision that the customer saw, and the amount due that was shown with it. */
  revisionId: number
  amount: string
  method: SentMethod
  returnTo: URL
  /** Scheme and host of this site. */
  origin: string
}

/**
 * Changes a subscription to another plan. An upgrade creates an order, whose execution ends the old subscription.
 * Any other change is scheduled for the next period. While the order of an upgrade is open, a repeated request
 * continues with this order.
 *
 * @returns the payment of an upgrade; undefined for a scheduled change
 * @throws ServiceError notFound for a plan to which the subscription cannot change; conflict if the offer or the
 * amount has changed since the customer saw it
 */
export async function changePlan(
  parts: OrderParts,
  buyer: Buyer,
  ask: ChangeAsk,
): Promise<AskedPayment | undefined> {
  const { db } = parts
  const method = await chooseMethod(parts, buyer.account.id, ask.method)
  await closeExpired(parts, buyer)
  const open = await db.transaction(async (tx) => {
    // Lock the account, so that concurrent requests submit only one order.
    const { id: accountId, addressCountry } = await requireHeldAccount(tx, buyer.account)
    const content = `change ${ask.subscriptionId} ${ask.revisionId}`
    const open = await openOrder(tx, accountId, content)
    if (open) {
      // The amount of an order never changes. If the customer has seen a lower amount in the meantime, reject the
      // request: the customer must not pay more than the shown amount.
      if ((readAmount(ask.amount) ?? 0) < open.cents) throw new ServiceError('conflict')
      return await withPayment(tx, open)
    }
    const changes = await planChanges({ db: tx, book: parts.book }, buyer, ask.subscriptionId)
    const change = changes.find(({ offer }) => offer.id === ask.offerId)
    if (!change) throw notFoundBy('idOption')
    const cents = agreedCents(change, ask)
    if (change.starts === 'nextPeriod')
      return await note(tx, parts.providers, ask.subscriptionId, { change, method }, buyer.now)
    const vatBasisPoints = vatRate(parts.vatRates, addressCountry, buyer.now)
    return await submit(tx, buyer, ask, { change, cents, content, vatBasisPoints, method })
  })
  return open && (await beginPayment(parts, open, method, ask.origin))
}

/** Settles orders that have expired, so that they do not block a new order. */
export async function closeExpired(parts: OrderParts, { account, now }: Buyer): Promise<void> {
  const late = await parts.db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, account.id), eq(orders.state, 'submitted'), lte(orders.expiresAt, now)))
  for (const order of late) await trySettling(parts, order)
}

/** Returns the open order of an account with this content. */
export async function openOrder(
  tx: Transaction,
  accountId: number,
  content: string,
): Promise<Order | undefined> {
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
  return open
}

/**
 * Returns the amount that the customer saw. It must have been correct within the last 15 minutes.
 *
 * @throws ServiceError conflict if the amount or the offer has changed
 */
function agreedCents(
  { offer, starts, cents, leastCents }: PlanChange,
  { revisionId, amount }: Pick<ChangeAsk, 'revisionId' | 'amount'>,
): number {
  const seen = readAmount(amount)
  const isGood = seen !== undefined && seen >= leastCents && seen <= cents
  const isPayable = starts !== 'now' || seen === undefined || seen === chargeable(seen)
  if (offer.revisionId !== revisionId || !isGood || !isPayable) throw new ServiceError('conflict')
  return seen
}

/**
 * Schedules a change of plan for the next period, and queues a confirmation e-mail. A next period that is already
 * open for payment is voided. A cancelled subscription becomes active again. A chosen saved card will pay for it. If it
 * is the first card of the subscription, it goes when the change is undone.
 *
 * @throws ServiceError paymentDataMissing if the new plan costs something, and no card was ever chosen for the
 * subscription; paymentDataInvalid if the chosen saved card cannot be charged
 */
async function note(
  tx: Transaction,
  providers: PaymentProviders,
  subscriptionId: number,
  { change, method }: Pick<Submission, 'change' | 'method'>,
  now: number,
): Promise<undefined> {
  const { offer, at: about, cents, ends } = change
  const { revisionId: changesTo } = offer
  const card = method?.saved
  if (card && !canPay(card, providers, now)) throw new ServiceError('paymentDataInvalid')
  const { methodId, isCardOfChange } = subscriptions
  const [paying] = await tx
    .update(subscriptions)
    .set({
      methodId: card?.id ?? sql`${methodId}`,
      isCardOfChange: card ? sql`${isCardOfChange} or ${methodId} is null` : sql`${isCardOfChange}`,
    })
    .where(eq(subscriptions.id, subscriptionId))
    .returning({ methodId: subscriptions.methodId })
  if (paying && !hasCardFor(paying, cents)) throw new ServiceError('paymentDataMissing')
  const noted = await tx
    .update(subscriptions)
    .set({ changesTo, statusId: GRANT_STATUS.active })
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        sql`${subscriptions.changesTo} is distinct from ${changesTo}`,
      ),
    )
    .returning({ id: subscriptions.id })
  // The same change is already scheduled.
  if (noted.length === 0) return
  // Options that the new plan does not allow are not renewed. Void their open periods too.
  await voidDue(tx, [subscriptionId, ...ends.map(({ subscription }) => subscription.id)], now)
  await writeDown(tx, [{ subscriptionId, letter: 'changeNoted', about, cents, changesTo }], { again: true })
}

/** Data for the order of an upgrade. */
interface Submission {
  change: PlanChange
  cents: number
  content: string
  vatBasisPoints: number
  method: ChosenMethod | undefined
}

/** Stores the order of an upgrade, with its payment if an amount is due. */
async function submit(
  tx: Transaction,
  { account: { id: accountId }, language, now }: Buyer,
  { subscriptionId, returnTo }: ChangeAsk,
  { change: { offer, priceCents, creditCents }, cents, content, vatBasisPoints, method }: Submission,
): Promise<OpenOrder> {
  if (cents > 0 && method === undefined) throw new ServiceError('paymentDataMissing')
  return await storeOrder(tx, {
    order: {
      accountId,
      content,
      replacesId: subscriptionId,
      cents,
      vatBasisPoints,
      submittedAt: now,
      expiresAt: now + ORDER_SECONDS * 1000,
    },
    items: [
      {
        offerRevisionId: offer.revisionId,
        cents,
        // The customer has possibly seen a lower amount within the last 15 minutes. The amount that the customer
        // saw applies, and the credit is raised to match.
        creditCents: Math.max(creditCents, priceCents - cents),
        trialDays: 0,
      },
    ],
    payment:
      cents > 0 && method !== undefined
        ? {
            provider: method.provider.name,
            description: titleOf(offer, language),
            language,
            returnUrl: returnTo.href,
          }
        : undefined,
  })
}

/**
 * Cancels a scheduled change of plan, and queues a confirmation e-mail. Does nothing if no change is scheduled.
 *
 * @throws ServiceError notFound if the account has no such subscription; conflict if the next period has begun
 */
export async function undoChange(db: Database, accountId: number, id: number, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const { subscription, offer, migration } = await holdSubscription(tx, accountId, id, now)
    if (subscription.changesTo === null) return
    if (subscription.periodEnd <= now) throw new ServiceError('conflict')
    const kept = withoutChange(subscription)
    await tx.update(subscriptions).set(kept).where(eq(subscriptions.id, id))
    await voidDue(tx, [id], now)
    const { periodEnd: about } = subscription
    const { cents } = nextPeriod(subscription, offer.terms, now, { change: null, migration })
    // Without a card, the subscription ends instead of the renewal that the e-mail announces.
    if (hasCardFor(kept, cents))
      await writeDown(tx, [{ subscriptionId: id, letter: 'changeUndone', about, cents }], { again: true })
  })
}
