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
 * Carts of accounts. A row refers to the offer revision that the customer saw, so that the customer never buys at
 * an unseen price.
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
     * Identifies what the order pays for: the items of a cart, a change of plan, or a period. An account has at
     * most one open order with the same content.
     */
    content: text().notNull(),
    /** The period that a renewal pays; null for a purchase or an upgrade. */
    periodId: integer().references((): AnyPgColumn => subscriptionPeriods.id),
    /** The subscription that ends when this upgrade is executed. Its unused time is credited. */
    replacesId: integer().references((): AnyPgColumn => subscriptions.id),
    /**
     * The subscription that gets the card of this order, and is resumed if it was cancelled. The order costs nothing.
     */
    cardForId: integer().references((): AnyPgColumn => subscriptions.id),
    /** Amount due now, VAT included, after the discount. */
    cents: integer().notNull(),
    /** Discount of the order's voucher. */
    discountCents: integer().notNull().default(0),
    voucherUseId: integer()
      .unique()
      .references(() => voucherUses.id),
    /** VAT rate when the order was submitted, in hundredths of a percent. */
    vatBasisPoints: integer().notNull(),
    /**
     * Payment of the order. Null if no money is due and no card is required. A payment of 0 cents only saves a
     * card.
     */
    paymentId: integer()
      .unique()
      .references(() => payments.id),
    submittedAt: moment().notNull(),
    /** When an unpaid order expires (spec 36). */
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
    /** The bought revision of the offer. Later revisions do not change the terms of the purchase. */
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    /** The title that the buyer chose. The id stays even if the title leaves the catalogue. */
    assetId: integer(),
    /**
     * Names of a one-time purchase by language, for lists of receipts. Null for a plan, whose names are in the
     * revision of its offer.
     */
    names: jsonb().$type<LocalisedText>(),
    /** Amount due for the item now, after the discount and the credit. */
    cents: integer().notNull(),
    discountCents: integer().notNull().default(0),
    /**
     * Credit for the unused time of the replaced subscription. Credit above the price extends the first period.
     */
    creditCents: integer().notNull().default(0),
    /** Number of free trial days at the beginning; 0 for none. */
    trialDays: integer().notNull(),
    /** The operator's promotion that applies to the purchase: a lower price for some periods. Null for none. */
    promotion: jsonb().$type<Introduction>(),
  },
  (table) => [index().on(table.orderId), index().on(table.offerRevisionId)],
)

/**
 * Subscriptions of accounts, each with its paid period. Periods are counted from `startedAt` (`time/periods.ts`).
 * An account has at most one running subscription of each plan.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    /** Plan of the offer, or the key of an offer without a plan. */
    plan: text().notNull(),
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    orderItemId: integer()
      .notNull()
      .unique()
      .references(() => orderItems.id),
    /** Status of the right (A4.1): Active 10, Cancelled 40. */
    statusId: integer().notNull(),
    /**
     * Start of the period with the number `firstPeriod`: the first period after the trial or after a change of
     * plan. All later periods are counted from this time.
     */
    startedAt: moment().notNull(),
    /** Number of the period that starts at `startedAt`. */
    firstPeriod: integer().notNull().default(1),
    /** The offer revision to which the subscription changes with the next period; null for no change of plan. */
    changesTo: integer().references(() => offerRevisions.id),
    /**
     * Newer revision of the same offer, to which the operator migrates the subscription. It applies from the first
     * period that begins at or after `migratesFrom`.
     */
    migratesTo: integer().references(() => offerRevisions.id),
    migratesFrom: moment(),
    /**
     * Whether the current terms come from a migration. Their introductory price then does not apply, because it is
     * for new customers only.
     */
    isMigrated: boolean().notNull().default(false),
    /** The operator's promotion that applied to the purchase. It overrides the introductory price in the terms. */
    promotion: jsonb().$type<Introduction>(),
    /** Number of the paid period. 0 is the trial, 1 the first period. */
    period: integer().notNull(),
    periodStart: moment().notNull(),
    periodEnd: moment().notNull(),
    /** Whether the subscription began with a trial. An account can use the trial of each plan only once. */
    hadTrial: boolean().notNull(),
    /** The card that paid last. The next renewal charges this card while it can pay (`payment-choice.ts`). */
    methodId: integer().references(() => paymentMethods.id),
    /** Whether the card was chosen for the scheduled change of plan alone. It goes when the change is undone. */
    isCardOfChange: boolean().notNull().default(false),
    /** Whether the next period is open, so that a row of `subscription_periods` waits for payment. */
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
    // Contains only subscriptions whose next period is not open yet.
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
 * States of a period after the first purchase. `due` waits for payment. `paid` is final. `unpaid`: the
 * subscription has ended, because the period was not paid. `void`: cancelled before payment.
 */
export const periodState = pgEnum('period_state', ['due', 'paid', 'unpaid', 'void'])

/**
 * Periods of subscriptions, except the period of the purchase. A subscription has at most one row for each period.
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
    /** The offer revision that applies from this period on; null for no change. */
    changesTo: integer().references(() => offerRevisions.id),
    /** Price of the period, VAT included. */
    cents: integer().notNull(),
    state: periodState().notNull().default('due'),
    /** When the saved card is charged next. */
    nextAttemptAt: moment().notNull(),
    /** When the first charge was declined. The retry days are counted from this time. */
    declinedAt: moment(),
    /** Number of times that temporary rights were given, which continue access until the period is paid. */
    graces: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique('subscription_periods_once').on(table.subscriptionId, table.period),
    index().on(table.nextAttemptAt).where(sql`${table.state} = 'due'`),
  ],
)

/**
 * E-mails about subscriptions. An e-mail is stored in the same transaction as the change that it reports, and sent
 * later.
 */
export const subscriptionEmails = pgTable(
  'subscription_letters',
  {
    id: serial().primaryKey(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    letter: text().$type<SubscriptionEmail>().notNull(),
    /** Time of the reported event. A subscription has at most one row for each kind of e-mail and each event. */
    about: moment().notNull(),
    /** Amount in the e-mail, VAT included. */
    cents: integer().notNull(),
    /** The previous price, in an e-mail about a new price; otherwise null. */
    beforeCents: integer(),
    /** The new offer revision, in an e-mail about a change of plan; otherwise null. */
    changesTo: integer().references(() => offerRevisions.id),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [
    unique('subscription_letters_once').on(table.subscriptionId, table.letter, table.about),
    index().on(table.id).where(sql`${table.sentAt} is null`),
  ],
)
