import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { payments } from '../payments/payments.table.ts'

/**
 * Customers at Stripe. Each account has its own customer, which keeps its cards separate from the cards of other
 * accounts.
 */
export const stripeCustomers = pgTable('stripe_customers', {
  /** Id of the account (`PaymentRequest.customer`). */
  customer: text().primaryKey(),
  /**
   * Idempotency key of the request that creates the customer. The key is random, because another installation with
   * the same Stripe account may use the same account ids. A new key replaces it after an internal failure of Stripe.
   */
  requestKey: text().notNull(),
  /** Id of the customer at Stripe; null until the customer is created. */
  stripeId: text().unique(),
  createdAt: createdAt(),
})

/** Ways to pay: on a Checkout page (Checkout Session), or with a saved card (PaymentIntent). */
export const STRIPE_WAYS = ['page', 'charge'] as const

/**
 * Payments at Stripe. Only one Stripe object at a time can take the money of a payment. `objectId` is stored
 * before the customer gets the page or the card is charged, so that an object without a stored id takes no money.
 */
export const stripePayments = pgTable('stripe_payments', {
  key: text()
    .primaryKey()
    .references(() => payments.key),
  way: text({ enum: STRIPE_WAYS }).notNull(),
  /**
   * Number of earlier Stripe objects of this payment. The next object is created only after the previous object is
   * closed at Stripe. Refunds that Stripe answered with an internal failure count too.
   */
  turn: integer().notNull().default(0),
  /** Id of the Checkout Session or PaymentIntent; null until it is created. */
  objectId: text(),
  /**
   * Saved card that cannot be charged, because its bank requires a confirmation by the customer. The customer pays on a
   * Checkout page instead. Null without such a card.
   */
  confirmedCard: text(),
  expiresAt: moment().notNull(),
  createdAt: createdAt(),
})
