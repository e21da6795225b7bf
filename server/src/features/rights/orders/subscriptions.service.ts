import { amountText } from '@ondine/contract/money'
import { type Periodicity, periodicityOf } from '@ondine/contract/offers'
import { OFFER_VALIDITY, ORDER_SECONDS } from '@ondine/contract/orders'
import type { NextStep, Subscription as PresentedSubscription } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { notFoundBy, ServiceError } from '../../../http/errors.ts'
import { GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferBook } from '../offers/offer-book.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { type PaymentProviders, savedMethods } from '../payments/payments.service.ts'
import {
  type AccountSubscription,
  goesOn,
  hasCardFor,
  holdSubscription,
  nextCents,
  type RunningPlans,
  runningPlansOf,
  subscriptionsOf,
  withoutChange,
} from './account-subscriptions.ts'
import type { Buyer } from './cart.service.ts'
import { voidDue } from './end-subscriptions.ts'
import { titleOf } from './offer-title.ts'
import { type AskedPayment, beginPayment, type OrderParts } from './orders.service.ts'
import { subscriptionPeriods, subscriptions } from './orders.table.ts'
import { type ChosenMethod, cardToCharge, chooseMethod, type SentMethod } from './payment-choice.ts'
import { holdPeriod, isDue } from './period-outcomes.ts'
import { plansInPlaceOf } from './plan-changes.ts'
import { holdAccountOf, openOrder, orderOf } from './renewals.ts'
import { type OpenOrder, storeOrder } from './store-order.ts'
import { writeDown } from './subscription-emails.ts'
import { migrationStart, nextPeriod } from './subscription-periods.ts'

const { cancelled } = GRANT_STATUS

/** Returns the subscriptions of an account, in the form of the API. */
export async function presentSubscriptions(
  { db, book, providers }: { db: Database; book: OfferBook; providers: PaymentProviders },
  { accountId, language, sells, now }: { accountId: number } & Pick<Buyer, 'language' | 'sells' | 'now'>,
): Promise<PresentedSubscription[]> {
  const plans = await runningPlansOf(db, accountId, now)
  const saved = await savedMethods(db, accountId)
  return plans.own.map((each) => {
    const { subscription, offer, change } = each
    const { at, cents, step } = nextOf(each, plans, now)
    const canChange = offer.terms.requires.length === 0 && subscription.periodEnd > now
    const method = cardToCharge(each, saved, providers, now)
    return {
      id: subscription.id,
      idOption: offer.id,
      title: titleOf(offer, language),
      statusId: subscription.statusId === cancelled ? OFFER_VALIDITY.cancelled : OFFER_VALIDITY.active,
      periodicity: periodicity(offer),
      validTo: seconds(subscription.periodEnd),
      next: { step, at: seconds(at), amount: amountText(cents) },
      change:
        change === null || subscription.periodEnd <= now
          ? null
          : { idOption: change.id, title: titleOf(change, language), periodicity: periodicity(change) },
      newPrice: newPriceOf(each),
      canChange,
      isCardChosen: subscription.methodId !== null,
      replaceableBy: canChange ? plansInPlaceOf(offer, book, { sells, now }).map(({ id }) => id) : [],
      method: method
        ? {
            brand: method.brand,
            label: `•••• ${method.lastDigits}`,
            expiresAt: method.expiresAt === null ? null : seconds(method.expiresAt),
          }
        : null,
    }
  })
}

/**
 * Returns the price that the operator has announced for the subscription; null if the subscription ends before
 * this price applies.
 */
function newPriceOf({
  subscription,
  offer: { terms },
  change,
  migration,
}: AccountSubscription): PresentedSubscription['newPrice'] {
  const { statusId, migratesFrom } = subscription
  if (migration === null || migratesFrom === null || change !== null || statusId === cancelled) return null
  if (!hasCardFor(subscription, migration.terms.cents)) return null
  if (migration.terms.cents === terms.cents) return null
  const at = migrationStart(subscription, terms, migratesFrom)
  return { at: seconds(at), amount: amountText(migration.terms.cents) }
}

/** Returns how often the price of an offer is charged. */
export function periodicity({
  terms: { recurrence },
}: {
  terms: Pick<OfferTerms, 'recurrence'>
}): Periodicity {
  return recurrence === null ? 'notImplemented' : periodicityOf(recurrence)
}

/** Returns the next event of a subscription. */
function nextOf(
  held: AccountSubscription,
  plans: RunningPlans,
  now: number,
): { step: NextStep; at: number; cents: number } {
  const {
    subscription: { periodEnd },
    due,
  } = held
  const cents = nextCents(held, now)
  if (!goesOn(held, plans, now)) return { step: 'ends', at: periodEnd, cents }
  if (due === null || due.startsAt > now) return { step: 'renews', at: periodEnd, cents }
  return { step: due.declinedAt === null ? 'pays' : 'retries', at: due.nextAttemptAt, cents }
}

function seconds(time: number): number {
  return Math.floor(time / 1000)
}

/**
 * Cancels a subscription (spec 34). Access continues until the paid period ends. If the current period is unpaid,
 * the subscription ends at once. A scheduled change of plan is cancelled too.
 *
 * @throws ServiceError notFound if the account has no such subscription
 */
export async function cancel(db: Database, accountId: number, id: number, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await holdSubscription(tx, accountId, id, now)
    const { subscription, offer } = held
    if (subscription.statusId === cancelled) return
    const isOver = subscription.periodEnd <= now
    await tx
      .update(subscriptions)
      .set({ statusId: cancelled, ...withoutChange(subscription), ...(isOver && { endedAt: now }) })
      .where(eq(subscriptions.id, id))
    const options = (await subscriptionsOf(tx, accountId, now)).filter(
      // Only options whose open period has not begun yet.
      ({ offer: option, due }) => option.terms.requires.includes(offer.key) && (due?.startsAt ?? 0) > now,
    )
    // Void the open periods of the options. If another plan supports an option, a job opens its period again.
    await voidDue(tx, [id, ...options.map((option) => option.subscription.id)], now)
    const { cents } = nextPeriod(subscription, offer.terms, now, { ...held, change: null })
    const letter = isOver
      ? { letter: 'subscriptionStopped' as const, about: now }
      : { letter: 'subscriptionCancelled' as const, about: subscription.periodEnd }
    await writeDown(tx, [{ subscriptionId: id, ...letter, cents }], { again: true })
  })
}

/** A customer's request to pay a renewal. */
export interface RenewalAsk {
  subscriptionId: number
  method: SentMethod
  returnTo: URL
  /** Scheme and host of this site. */
  origin: string
}

/**
 * Pays a period that waits for payment. While the order of this period is open, a repeated request returns this
 * order.
 *
 * @throws ServiceError nothingToPay if no period waits for payment
 */
export async function payDue(
  parts: OrderParts,
  { accountId, now }: { accountId: number; now: number },
  { subscriptionId, method: sent, returnTo, origin }: RenewalAsk,
): Promise<AskedPayment> {
  const { db } = parts
  const found = (await subscriptionsOf(db, accountId, now)).find(
    ({ subscription }) => subscription.id === subscriptionId,
  )
  if (!found) throw notFoundBy('subscriptionId')
  const { due } = found
  if (due === null || due.startsAt > now) throw new ServiceError('nothingToPay')
  const method = await chooseMethod(parts, accountId, sent)
  if (method === undefined) throw new ServiceError('paymentDataMissing')
  const open = await db.transaction(async (tx) => {
    const account = await holdAccountOf(tx, due.id)
    const held = await holdPeriod(tx, due.id)
    if (!isDue(held)) throw new ServiceError('nothingToPay')
    const begun = await openOrder(tx, held)
    if (begun) return begun
    const expiresAt = now + ORDER_SECONDS * 1000
    const { vatRates } = parts
    const made = await storeOrder(
      tx,
      orderOf(account, held, { provider: method.provider.name, returnTo, expiresAt, vatRates, now }),
    )
    // Postpone the charge of the saved card, because the customer is on the payment page.
    if (held.period.nextAttemptAt < expiresAt)
      await tx
        .update(subscriptionPeriods)
        .set({ nextAttemptAt: expiresAt })
        .where(eq(subscriptionPeriods.id, due.id))
    return made
  })
  return await beginPayment(parts, open, methodAtProvider(parts, open, method), origin)
}

/**
 * Returns the payment method for an order. A payment cannot move to another provider, so a new card is entered on a
 * page of the provider at which the order was opened, for example by the job that charges renewals.
 */
export function methodAtProvider(
  { providers }: Pick<OrderParts, 'providers'>,
  { payment }: OpenOrder,
  method: ChosenMethod,
): ChosenMethod {
  const provider = payment && providers.get(payment.provider)
  return provider && method.saved === undefined ? { provider, saved: undefined } : method
}
