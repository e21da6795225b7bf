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
import { createdAt, moment, type Texts } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { SUBSCRIPTION_EMAILS } from '../../people/mail/emails.ts'
import type { Introduction } from '../offers/global-promotion.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import { paymentMethods, payments } from '../payments/payments.table.ts'
import { voucherCodes, voucherUses } from '../vouchers/vouchers.table.ts'

export const orderState = pgEnum('order_state', ORDER_STATES)

/** What an account is about to buy. It names the revision that was looked at: another price is not bought by accident. */
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
    /** The title that is rented, where the offer is of several. */
    assetId: integer(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.position] })],
)

/** The voucher that the cart of an account shows its prices with. */
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

/** Orders as they were submitted: amount and items never change. */
export const orders = pgTable(
  'orders',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    state: orderState().notNull(),
    /** Names what is bought. An account has one open order of the same at most, however often it is asked for. */
    content: text().notNull(),
    /** Of a renewal, the period that it pays. Null for what was bought in the shop. */
    periodId: integer().references((): AnyPgColumn => subscriptionPeriods.id),
    /** The subscription that ends when this order is executed: its unused time is credited. */
    replacesId: integer().references((): AnyPgColumn => subscriptions.id),
    /** Due now, VAT included, after the discount. */
    cents: integer().notNull(),
    /** What its voucher takes off. */
    discountCents: integer().notNull().default(0),
    voucherUseId: integer()
      .unique()
      .references(() => voucherUses.id),
    /** The VAT rate of the day, in hundredths of a percent. */
    vatBasisPoints: integer().notNull(),
    /** Null when nothing is due and no card is asked for. One of 0 cents saves a card. */
    paymentId: integer()
      .unique()
      .references(() => payments.id),
    submittedAt: moment().notNull(),
    /** Not paid until then, it expires (decision 36). */
    expiresAt: moment().notNull(),
    /** When it reached its final state. */
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
    /** Its terms are those of the purchase, whatever the offer says later. */
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    /** The title that is rented. It may leave the catalogue; the order stays. */
    assetId: integer(),
    /** Names of a single purchase by language, for lists of receipts. Null for a plan, whose revision has its names. */
    names: jsonb().$type<Texts>(),
    /** Due for it now, after the discount and the credit. */
    cents: integer().notNull(),
    discountCents: integer().notNull().default(0),
    /** The unused time of what it replaces. What exceeds its price makes its first period longer. */
    creditCents: integer().notNull().default(0),
    /** Days of its trial; 0 for none. */
    trialDays: integer().notNull(),
    /** The operator's promotion that it was sold with: its price for so many periods. */
    promotion: jsonb().$type<Introduction>(),
  },
  (table) => [index().on(table.orderId), index().on(table.offerRevisionId)],
)

/**
 * Subscriptions of accounts, each with the period that is paid. Periods are counted from `startedAt` (`periods.ts`). An account has a
 * plan once at a time.
 */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    /** The plan of the offer, or the offer's own key. */
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
    /** When the period began or begins from which periods are counted: after the trial, or with a change of plan. */
    startedAt: moment().notNull(),
    /** The number of that period. */
    firstPeriod: integer().notNull().default(1),
    /** The terms that its next period changes to. Null for those it has. */
    changesTo: integer().references(() => offerRevisions.id),
    /** The terms of the same offer that its operator brings it to, with the first period that begins at `migratesFrom` or later. */
    migratesTo: integer().references(() => offerRevisions.id),
    migratesFrom: moment(),
    /** Whether its operator brought it to the terms that it has: their introductory price is for new customers. */
    isMigrated: boolean().notNull().default(false),
    /** The operator's promotion that it was sold with, laid over its terms. */
    promotion: jsonb().$type<Introduction>(),
    /** The period that is paid: 0 is the trial, 1 the first one. */
    period: integer().notNull(),
    periodStart: moment().notNull(),
    periodEnd: moment().notNull(),
    /** Whether it began with a trial: an account has one of each plan. */
    hadTrial: boolean().notNull(),
    /** The card that paid, for what comes next. */
    methodId: integer().references(() => paymentMethods.id),
    /** Whether its next period is opened: a row of `subscription_periods` waits for its payment. */
    isOpened: boolean().notNull().default(false),
    /** When it was over. */
    endedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('subscriptions_plan_once')
      .on(table.accountId, table.plan)
      .where(sql`${table.endedAt} is null`),
    index().on(table.methodId),
    index().on(table.periodEnd).where(sql`${table.endedAt} is null`),
    // What is to be opened, and nothing that is.
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
 * States of a further period. `due` is to be paid, `paid` is final, `unpaid` ended the subscription. `void` was cancelled before it was
 * paid.
 */
export const periodState = pgEnum('period_state', ['due', 'paid', 'unpaid', 'void'])

/** Periods after the one that came with the purchase. A subscription has each period once. */
export const subscriptionPeriods = pgTable(
  'subscription_periods',
  {
    id: serial().primaryKey(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    /** Counted as in `subscriptions.period`. */
    period: integer().notNull(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** The terms that the subscription has from this period on. Null for those it had before. */
    changesTo: integer().references(() => offerRevisions.id),
    /** By these terms, VAT included. */
    cents: integer().notNull(),
    state: periodState().notNull().default('due'),
    /** When the saved card is charged next. */
    nextAttemptAt: moment().notNull(),
    /** When the first charge was declined: retries are counted from here. */
    declinedAt: moment(),
    /** How many rights kept the access until it is paid. */
    graces: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique('subscription_periods_once').on(table.subscriptionId, table.period),
    index().on(table.nextAttemptAt).where(sql`${table.state} = 'due'`),
  ],
)

/** Letters about subscriptions, written with the change that they tell of, and sent afterwards. */
export const subscriptionEmails = pgTable(
  'subscription_letters',
  {
    id: serial().primaryKey(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    letter: text({ enum: SUBSCRIPTION_EMAILS }).notNull(),
    /** The moment that it is about: one letter of a kind tells of it. */
    about: moment().notNull(),
    /** The amount that it names. */
    cents: integer().notNull(),
    /** The price that this one follows, in a letter about a new price. */
    beforeCents: integer(),
    /** The terms that a subscription changes to, in a letter about a change of plan. */
    changesTo: integer().references(() => offerRevisions.id),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [
    unique('subscription_letters_once').on(table.subscriptionId, table.letter, table.about),
    index().on(table.id).where(sql`${table.sentAt} is null`),
  ],
)
