import { sql } from 'drizzle-orm'
import { check, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'

/**
 * States of a payment. `open` waits for the provider, `failed` is final. Money that has to go back is `refundDue` until the
 * provider has confirmed it.
 */
export const paymentState = pgEnum('payment_state', ['open', 'succeeded', 'failed', 'refundDue', 'refunded'])

/** Cards that providers keep for an account. The number stays with the provider. */
export const paymentMethods = pgTable(
  'payment_methods',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    provider: text().notNull(),
    /** The provider's name of it. */
    reference: text().notNull(),
    brand: text().notNull(),
    lastDigits: text().notNull(),
    lastUsedAt: moment().notNull(),
    /** When it can pay no more; null where the provider does not say. */
    expiresAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.provider, table.reference),
    index().on(table.accountId),
    index().on(table.expiresAt),
  ],
)

/**
 * Money that a provider was asked to move, or a card that it was asked to save: that is a payment of 0 cents. The amount never
 * changes.
 */
export const payments = pgTable(
  'payments',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    provider: text().notNull(),
    /** Names it at the provider, and makes each request repeatable: one key is paid once at most. */
    key: text().notNull().unique(),
    state: paymentState().notNull().default('open'),
    cents: integer().notNull(),
    description: text().notNull(),
    language: text().notNull(),
    /** Where the payment page leads back to; the order that it is for is added when the provider is asked. */
    returnUrl: text().notNull(),
    /** The provider's page takes no money after this moment. */
    expiresAt: moment().notNull(),
    /** The card that paid, if the provider keeps it. */
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
