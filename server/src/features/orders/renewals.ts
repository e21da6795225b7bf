import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { Pace } from '../../database/pace.ts'
import { type Account, isOpen } from '../accounts/accounts.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { type ProviderPayment, ProviderSilent } from '../payments/payment-provider.ts'
import { findPayment, type Payment, type SavedMethod, savedMethods } from '../payments/payments.service.ts'
import { type VatRates, vatRate } from '../payments/vat-rates.ts'
import type { Order } from './execute-order.ts'
import { titleOf } from './offer-title.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { requestOfOrder } from './payment-request.ts'
import { endUnpaid, type HeldPeriod, holdPeriod, isDue, noteDecline, termsOf } from './period-outcomes.ts'
import { type SettleParts, settleKnown } from './settle-order.ts'
import { type OpenOrder, storeOrder } from './store-order.ts'
import { writeDown } from './subscription-letters.ts'
import { DAY_MS, promotionAt, type Subscription } from './subscription-periods.ts'

/** A charge that was begun and not heard of is begun again after this time: its key makes it the same. */
const AGAIN_MS = 600_000

/** A renewal that waits for its customer or a bank is given up after this time, and counts as declined. */
const PATIENCE_MS = DAY_MS

/** Most renewals that are taken up at a time. */
const SLICE = 50

/** Renewals that are charged at once: a provider takes its time, and others need the database as well. */
const LANES = 4

/** What renewals are charged with. */
export interface RenewalParts extends SettleParts {
  /** Where links of a storefront lead to. */
  originOf: (storefrontId: number) => string
  vatRates: VatRates
}

/**
 * Charges every period that is due, in slices. A slice is claimed in one statement, so that processes share the work; whatever
 * happens afterwards, a period that was claimed comes again.
 *
 * @returns how many were charged
 */
export async function chargePeriods(parts: RenewalParts, signal?: AbortSignal): Promise<number> {
  const { db, clock } = parts
  const pace = new Pace(SLICE, 5)
  let count = 0
  for (let claimed = 1; claimed > 0; ) {
    signal?.throwIfAborted()
    claimed = await pace.slice(async (rows) => {
      const ids = await claim(db, clock.now(), rows)
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          for (let at = lane; at < ids.length; at += LANES) await tryCharging(parts, ids[at] ?? 0)
        }),
      )
      return ids.length
    })
    count += claimed
  }
  return count
}

async function tryCharging(parts: RenewalParts, periodId: number): Promise<void> {
  try {
    await chargePeriod(parts, periodId)
  } catch (error) {
    parts.log.error({ err: error, period: periodId }, 'a renewal could not be charged')
  }
}

async function claim(db: Database, now: number, rows: number): Promise<number[]> {
  const due = db
    .select({ id: subscriptionPeriods.id })
    .from(subscriptionPeriods)
    .where(and(eq(subscriptionPeriods.state, 'due'), lte(subscriptionPeriods.nextAttemptAt, now)))
    .orderBy(asc(subscriptionPeriods.nextAttemptAt), asc(subscriptionPeriods.id))
    .limit(rows)
    .for('update', { skipLocked: true })
  const claimed = await db
    .update(subscriptionPeriods)
    .set({ nextAttemptAt: now + AGAIN_MS })
    .where(inArray(subscriptionPeriods.id, due))
    .returning({ id: subscriptionPeriods.id })
  return claimed.map(({ id }) => id)
}

/** Charges the saved card for a period, or goes on with the charge that was begun. */
export async function chargePeriod(parts: RenewalParts, periodId: number): Promise<void> {
  const { db, clock, originOf, providers, log } = parts
  const now = clock.now()
  const begun = await db.transaction(async (tx) => await beginCharge(tx, parts, periodId, now))
  if (begun === undefined) return
  const { order, payment, saved, storefrontId } = begun
  if (payment === undefined) {
    await settleKnown(parts, order.id, undefined, now)
    return
  }
  const provider = providers.get(payment.provider)
  // The customer is paying elsewhere, or the provider was switched off: its order is settled by asking.
  if (provider === undefined || saved?.provider !== payment.provider) return
  let known: ProviderPayment
  try {
    known = await provider.charge(requestOfOrder(order, payment, originOf(storefrontId)), saved.reference)
  } catch (error) {
    if (!(error instanceof ProviderSilent)) throw error
    log.warn({ err: error, payment: payment.id }, 'the payment provider does not answer')
    return
  }
  if (known.state === 'open') await askToConfirm(db, periodId, order)
  await settleKnown(parts, order.id, known, now)
}

/** A charge that is about to be asked for. */
interface Charge {
  order: Order
  payment: Payment | undefined
  saved: SavedMethod | undefined
  storefrontId: number
}

/** The order of a period, which is made when there is none open. Undefined when there is nothing to charge. */
async function beginCharge(
  tx: Transaction,
  { retryDays, originOf, vatRates }: RenewalParts,
  periodId: number,
  now: number,
): Promise<Charge | undefined> {
  const account = await holdAccountOf(tx, periodId)
  const held = await holdPeriod(tx, periodId)
  if (!isDue(held)) return undefined
  const { subscription, period } = held
  const saved = await methodOf(tx, subscription)
  const { storefrontId } = account
  const open = await openOrder(tx, periodId)
  if (open) {
    const payment = open.paymentId === null ? undefined : await findPayment(tx, open.paymentId)
    return { order: open, payment, saved, storefrontId }
  }
  if (account.status !== 'ACTIVE') {
    // Nothing is charged for what cannot be used.
    if (isOpen(account)) await noteDecline(tx, periodId, { now, retryDays, isTold: false })
    else await endUnpaid(tx, held, now)
    return undefined
  }
  if (period.cents > 0 && saved === undefined) {
    await endUnpaid(tx, held, now)
    return undefined
  }
  const { order, payment } = await orderPeriod(tx, account, held, {
    provider: saved?.provider,
    returnTo: new URL('/account/products', originOf(storefrontId)),
    expiresAt: now + PATIENCE_MS,
    vatRates,
    now,
  })
  return { order, payment, saved, storefrontId }
}

/** The account of a period, which nobody else changes until the transaction ends. It is held before its subscription. */
export async function holdAccountOf(tx: Transaction, periodId: number): Promise<Account> {
  const [found] = await tx
    .select({ account: accounts })
    .from(subscriptionPeriods)
    .innerJoin(subscriptions, eq(subscriptionPeriods.subscriptionId, subscriptions.id))
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .where(eq(subscriptionPeriods.id, periodId))
    .for('update', { of: accounts })
    .prepare('hold_account_of_period')
    .execute()
  if (!found) throw new Error(`Period ${periodId} has no account.`)
  return found.account
}

/** The order of a period that is under way. */
export async function openOrder(tx: Transaction, periodId: number): Promise<Order | undefined> {
  const [order] = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.periodId, periodId), inArray(orders.state, ['submitted', 'to_execute'])))
    .prepare('open_order_of_period')
    .execute()
  return order
}

/** How the payment of a period is made. */
interface PeriodPayment {
  /** Undefined when nothing is due. */
  provider: string | undefined
  returnTo: URL
  expiresAt: number
  vatRates: VatRates
  now: number
}

/** Makes the order of a period, with its payment where something is due. */
export async function orderPeriod(
  tx: Transaction,
  { id: accountId, addressCountry, language }: Account,
  { subscription, period, ...held }: HeldPeriod,
  { provider, returnTo, expiresAt, vatRates, now }: PeriodPayment,
): Promise<OpenOrder> {
  const reader = isLanguage(language) ? bundledLanguage(language) : DEFAULT_LANGUAGE
  return await storeOrder(tx, {
    order: {
      accountId,
      content: `period ${period.id}`,
      periodId: period.id,
      cents: period.cents,
      vatBasisPoints: vatRate(vatRates, addressCountry, now),
      submittedAt: now,
      expiresAt,
    },
    items: [
      {
        offerRevisionId: period.changesTo ?? subscription.offerRevisionId,
        cents: period.cents,
        trialDays: 0,
        promotion: promotionAt(subscription, period),
      },
    ],
    payment:
      period.cents > 0 && provider !== undefined
        ? {
            provider,
            description: titleOf({ terms: termsOf(held) }, reader),
            language: reader,
            returnUrl: returnTo.href,
          }
        : undefined,
  })
}

/** The card that is charged for a subscription: the one that paid last, else the one that the account used last. */
export async function methodOf(
  db: Database | Transaction,
  { accountId, methodId }: Pick<Subscription, 'accountId' | 'methodId'>,
): Promise<SavedMethod | undefined> {
  const saved = await savedMethods(db, accountId)
  return saved.find(({ id }) => id === methodId) ?? saved[0]
}

/** The bank of the card wants its holder to confirm the payment. */
async function askToConfirm(db: Database, periodId: number, { expiresAt }: Order): Promise<void> {
  await db.transaction(async (tx) => {
    const { subscription, period } = await holdPeriod(tx, periodId)
    await writeDown(tx, [
      { subscriptionId: subscription.id, letter: 'paymentToConfirm', about: expiresAt, cents: period.cents },
    ])
  })
}
