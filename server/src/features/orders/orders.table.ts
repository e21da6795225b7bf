import { ORDER_STATES } from '@ondine/contract/orders'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
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
    /** Due now, VAT included, after the discount. */
    cents: integer().notNull(),
    /** What its voucher takes off. */
    discountCents: integer().notNull().default(0),
    voucherUseId: integer()
      .unique()
      .references(() => voucherUses.id),
    /** The VAT rate of the day, in hundredths of a percent. */
    vatBasisPoints: integer().notNull(),
    /** Null when nothing is due. */
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
    index().on(table.id).where(sql`${table.state} in ('submitted', 'to_execute')`),
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
    /** Due for it now, after the discount. */
    cents: integer().notNull(),
    discountCents: integer().notNull().default(0),
    /** Days of its trial; 0 for none. */
    trialDays: integer().notNull(),
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
    /** When its first paid period began or begins: after the trial. */
    startedAt: moment().notNull(),
    /** The period that is paid: 0 is the trial, 1 the first one. */
    period: integer().notNull(),
    periodStart: moment().notNull(),
    periodEnd: moment().notNull(),
    /** Whether it began with a trial: an account has one of each plan. */
    hadTrial: boolean().notNull(),
    /** The card that paid, for what comes next. */
    methodId: integer().references(() => paymentMethods.id),
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
  ],
)
