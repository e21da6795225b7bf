import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { payments } from '../payments/payments.table.ts'

/**
 * Customers at Stripe. Each account has its own customer, so that its cards are separate from the cards of
 * other accounts.
 */
export const stripeCustomers = pgTable('stripe_customers', {
  /** Identifies the account (`PaymentRequest.customer`). */
  customer: text().primaryKey(),
  /**
   * Idempotency key of the request that creates the customer. It is random, because account ids repeat in other
   * installations.
   */
  requestKey: text().notNull(),
  /** Stripe's id, once the customer is created. */
  stripeId: text().unique(),
  createdAt: createdAt(),
})

/** Ways of payment: on a page of Stripe (Checkout Session), or with a saved card (PaymentIntent). */
export const STRIPE_WAYS = ['page', 'charge'] as const

/**
 * Payments at Stripe. A payment has only one object at a time that can take its money. `objectId` is stored before the
 * customer gets the page and before the card is charged, so that no unknown object takes money.
 */
export const stripePayments = pgTable('stripe_payments', {
  key: text()
    .primaryKey()
    .references(() => payments.key),
  way: text({ enum: STRIPE_WAYS }).notNull(),
  /**
   * Number of objects that the payment had before. Another object is created only when the previous object is closed at
   * Stripe.
   */
  turn: integer().notNull().default(0),
  /** Id of the Checkout Session or PaymentIntent, once it is created. */
  objectId: text(),
  /**
   * Saved card whose bank required a confirmation by the customer. The payment then uses a page instead of the card.
   */
  confirmedCard: text(),
  expiresAt: moment().notNull(),
  createdAt: createdAt(),
})
