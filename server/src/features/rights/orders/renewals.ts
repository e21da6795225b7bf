import { DEFAULT_LANGUAGE, isLanguage } from '@ondine/contract/languages'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { inLanes } from '../../../in-lanes.ts'
import { type VatRates, vatRate } from '../../../money/vat-rates.ts'
import { type Account, isOpen } from '../../people/accounts/accounts.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import {
  LONGEST_PAYMENT_MS,
  type Payment,
  ProviderSilent,
  type SavedMethod,
  savedMethodsOf,
} from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { hasCardFor } from './account-subscriptions.ts'
import type { Order } from './execute-order.ts'
import { titleOf } from './offer-title.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { cardToCharge } from './payment-choice.ts'
import { requestOfOrder } from './payment-request.ts'
import {
  endUnpaid,
  type HeldPeriod,
  holdPeriod,
  holdPeriods,
  isDue,
  noteDecline,
  termsOf,
} from './period-outcomes.ts'
import { type SettleParts, settleAll } from './settlement.service.ts'
import { type NewOrder, type OpenOrder, storeOrders } from './store-order.ts'
import { writeDown } from './subscription-emails.ts'
import { promotionAt } from './subscription-periods.ts'
import type { KnownPayment } from './take-over.ts'

/**
 * Delay before a charge with an unknown result is repeated, in milliseconds. The provider recognises the repeated
 * charge by its key.
 */
const AGAIN_MS = 600_000

/**
 * How long a renewal waits for the customer's confirmation or a bank before it counts as declined, in
 * milliseconds.
 */
const PATIENCE_MS = LONGEST_PAYMENT_MS

/** Maximum number of renewals in one slice. */
const SLICE = 50

/**
 * Number of concurrent charges. It is small to leave database connections to other callers while providers are
 * slow.
 */
const LANES = 4

/** Dependencies of renewals. */
export interface RenewalParts extends SettleParts {
  /** Returns the origin of links to a storefront. */
  originOf: (storefrontId: number) => string
  vatRates: VatRates
}

/**
 * Charges all due periods, in slices. One statement claims a slice, so that concurrent processes share the work. A
 * claimed period becomes due again after ten minutes, so no period is lost in a crash.
 *
 * @returns the number of charged periods
 */
export async function chargePeriods(parts: RenewalParts, signal?: AbortSignal): Promise<number> {
  const { db, clock } = parts
  const pace = new Pace(SLICE, 5)
  let count = 0
  for (let claimed = 1; claimed > 0; ) {
    signal?.throwIfAborted()
    claimed = await pace.slice(async (rows) => {
      const ids = await claim(db, clock.now(), rows)
      await chargeSlice(parts, ids)
      return ids.length
    })
    count += claimed
  }
  return count
}

/**
 * Charges the saved cards for periods, or continues interrupted charges. Stores the orders first, then calls the
 * provider, then applies the outcomes.
 */
async function chargeSlice(parts: RenewalParts, periodIds: readonly number[]): Promise<void> {
  if (periodIds.length === 0) return
  const now = parts.clock.now()
  const charges = await beginSlice(parts, periodIds, now)
  const answered = await inLanes(LANES, charges, async (charge) => await tryCharging(parts, charge))
  await settleAll(
    parts,
    answered.filter((known) => known !== undefined),
  )
}

/**
 * Begins the charges of periods together. If this fails, begins each charge separately, so that one failure does
 * not stop the others.
 */
async function beginSlice(parts: RenewalParts, periodIds: readonly number[], now: number): Promise<Charge[]> {
  const { db, log } = parts
  try {
    return await retryOnDeadlock(
      async () => await db.transaction(async (tx) => await beginCharges(tx, parts, periodIds, now)),
    )
  } catch (error) {
    const [period, ...more] = periodIds
    if (more.length === 0) {
      log.error({ err: error, period }, 'a renewal could not be charged')
      return []
    }
    log.warn({ err: error, periods: periodIds.length }, 'renewals are charged one by one')
    const charges: Charge[] = []
    for (const id of periodIds) charges.push(...(await beginSlice(parts, [id], now)))
    return charges
  }
}

async function tryCharging(parts: RenewalParts, charge: Charge): Promise<KnownPayment | undefined> {
  try {
    return await askProvider(parts, charge)
  } catch (error) {
    const { log } = parts
    if (error instanceof ProviderSilent)
      log.warn({ err: error, payment: charge.payment?.id }, 'the payment provider does not answer')
    else log.error({ err: error, period: charge.periodId }, 'a renewal could not be charged')
    return undefined
  }
}

/**
 * Requests the charge of the saved card from the provider. @returns undefined if the order cannot be settled now
 */
async function askProvider(
  { db, clock, originOf, providers }: RenewalParts,
  { periodId, order, payment, saved, storefrontId }: Charge,
): Promise<KnownPayment | undefined> {
  const at = clock.now()
  if (payment === undefined) return { orderId: order.id, known: undefined, at }
  const provider = providers.get(payment.provider)
  // The provider of the payment is switched off, or the customer is paying at another provider. The job for open
  // orders settles the order.
  if (provider === undefined || saved?.provider !== payment.provider) return undefined
  // The subscription may have been cancelled while other charges of the slice were made.
  if (!(await isStillDue(db, periodId))) return undefined
  const known = await provider.charge(requestOfOrder(order, payment, originOf(storefrontId)), saved.reference)
  if (known.state === 'open' && order.expiresAt > at) await askToConfirm(db, periodId, order)
  return { orderId: order.id, known, at }
}

/** Returns whether a period still waits for payment, and its account is active. */
async function isStillDue(db: Database, periodId: number): Promise<boolean> {
  const [found] = await db
    .select({ state: subscriptionPeriods.state, status: accounts.status })
    .from(subscriptionPeriods)
    .innerJoin(subscriptions, eq(subscriptionPeriods.subscriptionId, subscriptions.id))
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .where(eq(subscriptionPeriods.id, periodId))
  return found?.state === 'due' && found.status === 'ACTIVE'
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

/** The charge of a period, to request from the provider. */
interface Charge {
  periodId: number
  order: Order
  /** Undefined if nothing is due. */
  payment: Payment | undefined
  saved: SavedMethod | undefined
  storefrontId: number
}

/**
 * Returns the charges of periods, with their orders. Creates missing orders. Omits periods that cannot be charged.
 */
async function beginCharges(
  tx: Transaction,
  { providers, retryDays, originOf, vatRates }: RenewalParts,
  periodIds: readonly number[],
  now: number,
): Promise<Charge[]> {
  const accountOf = await holdAccountsOf(tx, periodIds)
  const due = (await holdPeriods(tx, periodIds)).filter(isDue)
  const open = await openOrders(tx, due)
  const methods = await savedMethodsOf(
    tx,
    due.map(({ subscription }) => subscription.accountId),
  )
  const charged = new Map<number, Omit<Charge, 'order' | 'payment'>>()
  const made: NewOrder[] = []
  for (const held of due) {
    const { subscription, period } = held
    const account = accountOf.get(period.id)
    if (!account) throw new Error(`Period ${period.id} has no account.`)
    const cards = methods.get(subscription.accountId) ?? []
    const saved = cardToCharge({ subscription, due: period }, cards, providers, now)
    const charge = { periodId: period.id, saved, storefrontId: account.storefrontId }
    if (open.some(({ order }) => order.periodId === period.id)) {
      charged.set(period.id, charge)
    } else if (!isOpen(account)) {
      await endUnpaid(tx, held, now)
    } else if (period.declinedAt === null && !hasCardFor(subscription, period.cents)) {
      await endUnpaid(tx, held, now, 'subscriptionOver')
    } else if (account.status !== 'ACTIVE') {
      // A suspended account cannot play, so it is not charged: its renewal counts as declined.
      await noteDecline(tx, period.id, { now, retryDays, email: null })
    } else if (period.cents > 0 && saved === undefined) {
      // The customer has removed all cards, and can pay with a new card until the last retry.
      await noteDecline(tx, period.id, { now, retryDays, email: 'paymentWithoutCard' })
    } else if (period.cents > 0 && saved !== undefined && !providers.has(saved.provider)) {
      // An order at a provider that is switched off could not be settled. Without an order, the customer can pay
      // with another card.
      await noteDecline(tx, period.id, { now, retryDays, email: null })
    } else {
      charged.set(period.id, charge)
      made.push(
        orderOf(account, held, {
          provider: saved?.provider,
          returnTo: new URL('/account/products', originOf(account.storefrontId)),
          expiresAt: now + PATIENCE_MS,
          vatRates,
          now,
        }),
      )
    }
  }
  return [...open, ...(await storeOrders(tx, made))].flatMap(({ order, payment }) => {
    const charge = order.periodId === null ? undefined : charged.get(order.periodId)
    return charge ? [{ ...charge, order, payment }] : []
  })
}

/**
 * Locks the account of a period until the transaction ends, and returns the account. Call this before locking the
 * subscription of the period.
 */
export async function holdAccountOf(tx: Transaction, periodId: number): Promise<Account> {
  const account = (await holdAccountsOf(tx, [periodId])).get(periodId)
  if (!account) throw new Error(`Period ${periodId} has no account.`)
  return account
}

/** Locks the accounts of many periods, as {@link holdAccountOf} does. @returns the accounts, by period id */
async function holdAccountsOf(tx: Transaction, periodIds: readonly number[]): Promise<Map<number, Account>> {
  if (periodIds.length === 0) return new Map()
  const found = await tx
    .select({ periodId: subscriptionPeriods.id, account: accounts })
    .from(subscriptionPeriods)
    .innerJoin(subscriptions, eq(subscriptionPeriods.subscriptionId, subscriptions.id))
    .innerJoin(accounts, eq(subscriptions.accountId, accounts.id))
    .where(oneOf(subscriptionPeriods.id, periodIds))
    // Lock the accounts in the same sequence as `holdAccounts` does, to prevent deadlocks.
    .orderBy(accounts.id)
    .for('update', { of: accounts })
    .prepare('hold_accounts_of_periods')
    .execute()
  return new Map(found.map(({ periodId, account }) => [periodId, account]))
}

/** Returns the open order of a period. */
export async function openOrder(tx: Transaction, held: HeldPeriod): Promise<OpenOrder | undefined> {
  return (await openOrders(tx, [held]))[0]
}

/** Returns the open orders of periods. */
async function openOrders(tx: Transaction, periods: readonly HeldPeriod[]): Promise<OpenOrder[]> {
  if (periods.length === 0) return []
  const accountIds = periods.map(({ subscription }) => subscription.accountId)
  const periodIds = periods.map(({ period }) => period.id)
  const found = await tx
    .select({ order: orders, payment: payments })
    .from(orders)
    .leftJoin(payments, eq(orders.paymentId, payments.id))
    .where(
      and(
        // This condition lets the query use the index on the accounts.
        oneOf(orders.accountId, accountIds),
        oneOf(orders.periodId, periodIds),
        inArray(orders.state, ['submitted', 'to_execute']),
      ),
    )
    .prepare('open_orders_of_periods')
    .execute()
  return found.map(({ order, payment }) => ({ order, payment: payment ?? undefined }))
}

/** Data for the payment of a period. */
interface PeriodPayment {
  /** Name of the provider; undefined if nothing is due. */
  provider: string | undefined
  returnTo: URL
  expiresAt: number
  vatRates: VatRates
  now: number
}

/** Returns a new order for a period, with its payment if an amount is due. */
export function orderOf(
  { id: accountId, addressCountry, language }: Account,
  { subscription, period, ...held }: HeldPeriod,
  { provider, returnTo, expiresAt, vatRates, now }: PeriodPayment,
): NewOrder {
  const reader = isLanguage(language) ? language : DEFAULT_LANGUAGE
  return {
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
  }
}

/** Queues an e-mail that asks the customer to confirm the payment, as the bank requires. */
async function askToConfirm(db: Database, periodId: number, { expiresAt }: Order): Promise<void> {
  await db.transaction(async (tx) => {
    const { subscription, period } = await holdPeriod(tx, periodId)
    await writeDown(tx, [
      { subscriptionId: subscription.id, letter: 'paymentToConfirm', about: expiresAt, cents: period.cents },
    ])
  })
}
