import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { payments } from '../payments/payments.table.ts'

/** Customers at Stripe. Each account has its own, which keeps its cards apart from those of others. */
export const stripeCustomers = pgTable('stripe_customers', {
  /** Names the account (`PaymentRequest.customer`). */
  customer: text().primaryKey(),
  /** Names the request that makes the customer. It is random: ids of accounts come again in another installation. */
  requestKey: text().notNull(),
  /** Stripe's id, once the customer is made. */
  stripeId: text().unique(),
  createdAt: createdAt(),
})

/** How a payment is made: on a page of Stripe (Checkout Session), or with a saved card (PaymentIntent). */
export const STRIPE_WAYS = ['page', 'charge'] as const

/**
 * Payments at Stripe. A payment has one object there at a time that can take its money. `objectId` is stored before the customer
 * gets the page and before the card is charged, so that no money is taken by an object that is unknown here.
 */
export const stripePayments = pgTable('stripe_payments', {
  key: text()
    .primaryKey()
    .references(() => payments.key),
  way: text({ enum: STRIPE_WAYS }).notNull(),
  /** Counts the objects of the payment. Another one is made only once the one before is closed at Stripe. */
  turn: integer().notNull().default(0),
  /** Id of the Checkout Session or PaymentIntent, once it is made. */
  objectId: text(),
  /** The saved card whose bank has asked for the customer, and in the place of which there is a page. */
  confirmedCard: text(),
  expiresAt: moment().notNull(),
  createdAt: createdAt(),
})
