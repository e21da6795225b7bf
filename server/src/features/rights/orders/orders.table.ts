import { ORDER_STATES } from '@ondine/contract/orders'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import type { SubscriptionEmail } from '../../people/mail/emails.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import type { Introduction } from '../offers/promotions.service.ts'
import { paymentMethods, payments } from '../payments/payments.table.ts'
import { voucherCodes, voucherUses } from '../vouchers/vouchers.table.ts'

export const orderState = pgEnum('order_state', ORDER_STATES)

/**
 * Carts of accounts. A row refers to the revision that the customer saw, so that nobody buys at a price that
 * they have not seen.
 */
export const cartItems = pgTable(
  'cart_items',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    /** The title that the buyer chose; null for an offer without a choice. */
    assetId: integer(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.position] })],
)

/** The voucher whose discount the cart of an account shows. */
export const cartVouchers = pgTable(
  'cart_vouchers',
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    codeId: integer()
      .notNull()
      .references(() => voucherCodes.id),
  },
  (table) => [index().on(table.codeId)],
)

/** Submitted orders. Their amounts and items never change. */
export const orders = pgTable(
  'orders',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    state: orderState().notNull(),
    /**
     * Text that identifies what the order pays for: the items of a cart, a change of plan, or a period. An account has
     * at most one open order with the same content.
     */
    content: text().notNull(),
    /** For a renewal, the period that the order pays. Null for an order from the shop. */
    periodId: integer().references((): AnyPgColumn => subscriptionPeriods.id),
    /** The subscription that ends when this order is executed. The unused time of that subscription is credited. */
    replacesId: integer().references((): AnyPgColumn => subscriptions.id),
    /** Amount due now, VAT included, after the discount. */
    cents: integer().notNull(),
    /** Discount of its voucher. */
    discountCents: integer().notNull().default(0),
    voucherUseId: integer()
      .unique()
      .references(() => voucherUses.id),
    /** VAT rate when the order was submitted, in hundredths of a percent. */
    vatBasisPoints: integer().notNull(),
    /**
     * Payment of the order. Null if nothing is due and no card is required. A payment of 0 cents is for saving a card.
     */
    paymentId: integer()
      .unique()
      .references(() => payments.id),
    submittedAt: moment().notNull(),
    /** When the order expires unless it is paid (spec 36). */
    expiresAt: moment().notNull(),
    /** When the order reached a final state. */
    closedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('orders_open_once')
      .on(table.accountId, table.content)
      .where(sql`${table.state} in ('submitted', 'to_execute')`),
    index().on(table.accountId),
    index().on(table.replacesId).where(sql`${table.replacesId} is not null`),
    index().on(table.id).where(sql`${table.state} in ('submitted', 'to_execute')`),
    uniqueIndex('orders_period_paid_once')
      .on(table.periodId)
      .where(sql`${table.state} = 'executed' and ${table.periodId} is not null`),
  ],
)

export const orderItems = pgTable(
  'order_items',
  {
    id: serial().primaryKey(),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    /** The terms of the purchase. Later changes of the offer do not affect them. */
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    /** The title that the buyer chose. It may be removed from the catalogue later, but the order remains. */
    assetId: integer(),
    /**
     * Names of a single purchase by language, for lists of receipts. Null for a plan, because the revision of its offer
     * has the names.
     */
    names: jsonb().$type<LocalisedText>(),
    /** Amount due for the item now, after the discount and the credit. */
    cents: integer().notNull(),
    discountCents: integer().notNull().default(0),
    /**
     * Credit for the unused time of the replaced subscription. The part above the price makes the first period longer.
     */
    creditCents: integer().notNull().default(0),
    /** Days of the free trial that the item begins with; 0 for none. */
    trialDays: integer().notNull(),
    /** The operator's promotion that applied to the purchase: a lower price for some periods. */
    promotion: jsonb().$type<Introduction>(),
  },
  (table) => [index().on(table.orderId), index().on(table.offerRevisionId)],
)

/**
 * Subscriptions of accounts, each with its paid period. Periods are counted from `startedAt` (`time/periods.ts`). An
 * account has one running subscription of each plan.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    /** The plan of the offer. If the offer has no plan, the key of the offer. */
    plan: text().notNull(),
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    orderItemId: integer()
      .notNull()
      .unique()
      .references(() => orderItems.id),
    /** A4.1: Active 10, Cancelled 40. */
    statusId: integer().notNull(),
    /**
     * Start of the period from which periods are counted: the first period after the trial, or after a change
     * of plan.
     */
    startedAt: moment().notNull(),
    /** The number of that period. */
    firstPeriod: integer().notNull().default(1),
    /** The terms to which the next period changes. Null for no change. */
    changesTo: integer().references(() => offerRevisions.id),
    /**
     * Newer terms of the same offer, to which the operator migrates the subscription. They apply from the first period
     * that begins at `migratesFrom` or later.
     */
    migratesTo: integer().references(() => offerRevisions.id),
    migratesFrom: moment(),
    /**
     * Whether the terms come from a migration. Then the introductory price does not apply, because it is for
     * new customers only.
     */
    isMigrated: boolean().notNull().default(false),
    /** The operator's promotion that applied to the purchase. It overrides the introductory price of the terms. */
    promotion: jsonb().$type<Introduction>(),
    /** The number of the paid period. 0 is the trial, 1 the first period. */
    period: integer().notNull(),
    periodStart: moment().notNull(),
    periodEnd: moment().notNull(),
    /** Whether the subscription began with a trial. An account has one trial of each plan. */
    hadTrial: boolean().notNull(),
    /** The card that paid last, which is charged next. */
    methodId: integer().references(() => paymentMethods.id),
    /** Whether the next period of the subscription is open: a row of `subscription_periods` waits for payment. */
    isOpened: boolean().notNull().default(false),
    /** When the subscription ended. */
    endedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('subscriptions_plan_once')
      .on(table.accountId, table.plan)
      .where(sql`${table.endedAt} is null`),
    index().on(table.methodId),
    index().on(table.periodEnd).where(sql`${table.endedAt} is null`),
    // Contains only the subscriptions whose next period is still to be opened.
    index('subscriptions_to_open')
      .on(table.periodEnd)
      .where(sql`${table.endedAt} is null and not ${table.isOpened}`),
    check(
      'subscriptions_migration_has_a_day',
      sql`(${table.migratesTo} is null) = (${table.migratesFrom} is null)`,
    ),
  ],
)

/**
 * States of a period after the first purchase. `due` waits for payment, `paid` is final, `unpaid` has ended the
 * subscription. `void` was cancelled before it was paid.
 */
export const periodState = pgEnum('period_state', ['due', 'paid', 'unpaid', 'void'])

/**
 * Periods of subscriptions after the period of the first purchase. A subscription has at most one row for each period.
 */
export const subscriptionPeriods = pgTable(
  'subscription_periods',
  {
    id: serial().primaryKey(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    /** Number of the period, counted as in `subscriptions.period`. */
    period: integer().notNull(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** The terms that the subscription has from this period on. Null for no change. */
    changesTo: integer().references(() => offerRevisions.id),
    /** Price of the period by the terms that apply to it, VAT included. */
    cents: integer().notNull(),
    state: periodState().notNull().default('due'),
    /** When the saved card is charged next. */
    nextAttemptAt: moment().notNull(),
    /** When the first charge was declined. Retries are counted from here. */
    declinedAt: moment(),
    /** Number of rights given so far to keep access until the period is paid. */
    graces: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique('subscription_periods_once').on(table.subscriptionId, table.period),
    index().on(table.nextAttemptAt).where(sql`${table.state} = 'due'`),
  ],
)

/**
 * E-mails about subscriptions. They are stored in the transaction of the change that they report, and sent afterwards.
 */
export const subscriptionEmails = pgTable(
  'subscription_letters',
  {
    id: serial().primaryKey(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    letter: text().$type<SubscriptionEmail>().notNull(),
    /**
     * The time of the event that the e-mail is about. A subscription has at most one row for each kind of e-mail and
     * each event.
     */
    about: moment().notNull(),
    /** The amount that the e-mail names. */
    cents: integer().notNull(),
    /** The previous price, in an e-mail about a new price. */
    beforeCents: integer(),
    /** The new terms, in an e-mail about a change of plan. */
    changesTo: integer().references(() => offerRevisions.id),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [
    unique('subscription_letters_once').on(table.subscriptionId, table.letter, table.about),
    index().on(table.id).where(sql`${table.sentAt} is null`),
  ],
)
