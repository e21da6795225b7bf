import { sql } from 'drizzle-orm'
import { check, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'

/**
 * States of a payment. `open` waits for the provider. `failed` is final. `refundDue` waits for the provider to
 * confirm the refund.
 */
export const paymentState = pgEnum('payment_state', ['open', 'succeeded', 'failed', 'refundDue', 'refunded'])

/** Cards that providers have saved for an account. Only the provider has the card numbers. */
export const paymentMethods = pgTable(
  'payment_methods',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    provider: text().notNull(),
    /** The provider's identifier of the card. */
    reference: text().notNull(),
    brand: text().notNull(),
    lastDigits: text().notNull(),
    lastUsedAt: moment().notNull(),
    /** When the card expires; null if the provider does not report a date. */
    expiresAt: moment(),
    /** When the customer removed the card at the provider; null for a card that can be charged. */
    removedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.provider, table.reference),
    index().on(table.accountId),
    index().on(table.expiresAt),
  ],
)

/** Payment requests to providers. A payment of 0 cents is a request to save a card. The amount never changes. */
export const payments = pgTable(
  'payments',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    provider: text().notNull(),
    /**
     * Idempotency key at the provider. The provider charges a key at most once, so each request can be repeated.
     */
    key: text().notNull().unique(),
    state: paymentState().notNull().default('open'),
    cents: integer().notNull(),
    description: text().notNull(),
    language: text().notNull(),
    /**
     * Address to which the payment page returns the customer. The request to the provider adds the id of the
     * order.
     */
    returnUrl: text().notNull(),
    /** The payment page of the provider takes no money after this time. */
    expiresAt: moment().notNull(),
    /** The saved card that paid; null if the provider has not saved it. */
    methodId: integer().references(() => paymentMethods.id),
    paidAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    check('payments_not_negative', sql`${table.cents} >= 0`),
    index().on(table.accountId),
    index().on(table.methodId),
    index().on(table.expiresAt).where(sql`${table.state} = 'open'`),
    index().on(table.id).where(sql`${table.state} = 'refundDue'`),
  ],
)
