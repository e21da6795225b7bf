import { ORDER_SECONDS } from '@ondine/contract/orders'
import type { Transaction } from '../../../database/connection.ts'
import { invalidFields, ServiceError } from '../../../http/errors.ts'
import { vatRate } from '../../../money/vat-rates.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { type AccountSubscription, hasCardFor, holdSubscription, nextCents } from './account-subscriptions.ts'
import type { Buyer } from './cart.service.ts'
import { closeExpired, openOrder } from './change-plan.ts'
import { titleOf } from './offer-title.ts'
import { type AskedPayment, beginPayment, type OrderParts } from './orders.service.ts'
import { type ChosenMethod, canPay, chooseMethod, type SentMethod } from './payment-choice.ts'
import { resumeHeld } from './resume-held.ts'
import { type OpenOrder, storeOrder, withPayment } from './store-order.ts'
import { methodAtProvider } from './subscriptions.service.ts'

/** A customer's request to resume a subscription. */
export interface ResumeAsk {
  subscriptionId: number
  /** The card for a subscription without one. It has no effect on other subscriptions. */
  method: SentMethod
  /** Required for a new card, which is entered on a payment page. */
  returnTo: URL | undefined
  /** Scheme and host of this site. */
  origin: string
}

/**
 * Undoes a cancellation, so that the subscription renews again. If it has no card for its next charge and the customer
 * chooses one, the card is stored first: a saved card at once, a new card by an order of 0 cents (docs/decisions/0061),
 * whose execution resumes the subscription. While this order is open, a repeated request continues with it. Without a
 * card, the subscription ends instead of its next charge.
 *
 * @returns the payment that saves a new card; undefined if the subscription was resumed
 * @throws ServiceError notFound if the account no longer has this subscription; paymentDataInvalid for a card that cannot
 * be charged
 */
export async function resume(
  parts: OrderParts,
  buyer: Buyer,
  ask: ResumeAsk,
): Promise<AskedPayment | undefined> {
  const { db, providers } = parts
  const { subscriptionId } = ask
  const method = await chooseMethod(parts, buyer.account.id, ask.method)
  if (method) await closeExpired(parts, buyer)
  const open = await db.transaction(async (tx) => {
    const { id: accountId, addressCountry } = await requireHeldAccount(tx, buyer.account)
    const held = await holdSubscription(tx, accountId, subscriptionId, buyer.now)
    if (method === undefined || hasCardFor(held.subscription, nextCents(held, buyer.now)))
      return await resumeHeld(tx, held, buyer.now)
    if (method.saved) {
      if (!canPay(method.saved, providers, buyer.now)) throw new ServiceError('paymentDataInvalid')
      return await resumeHeld(tx, held, buyer.now, method.saved.id)
    }
    const { returnTo } = ask
    if (returnTo === undefined) throw invalidFields([{ field: 'returnUrl', message: 'requiredField' }])
    const content = `card ${subscriptionId}`
    const begun = await openOrder(tx, accountId, content)
    if (begun) return await withPayment(tx, begun)
    const vatBasisPoints = vatRate(parts.vatRates, addressCountry, buyer.now)
    return await submit(tx, buyer, held, { content, vatBasisPoints, method, returnTo })
  })
  return (
    open && (await beginPayment(parts, open, method && methodAtProvider(parts, open, method), ask.origin))
  )
}

/** Stores the order that saves a card for a subscription. */
async function submit(
  tx: Transaction,
  { account: { id: accountId }, language, now }: Buyer,
  { subscription, offer }: AccountSubscription,
  {
    content,
    vatBasisPoints,
    method: { provider },
    returnTo,
  }: { content: string; vatBasisPoints: number; method: ChosenMethod; returnTo: URL },
): Promise<OpenOrder> {
  return await storeOrder(tx, {
    order: {
      accountId,
      content,
      cardForId: subscription.id,
      cents: 0,
      vatBasisPoints,
      submittedAt: now,
      expiresAt: now + ORDER_SECONDS * 1000,
    },
    items: [{ offerRevisionId: subscription.offerRevisionId, cents: 0, trialDays: 0 }],
    payment: {
      provider: provider.name,
      description: titleOf(offer, language),
      language,
      returnUrl: returnTo.href,
    },
  })
}
