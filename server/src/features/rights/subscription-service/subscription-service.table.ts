import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'

/** Customers at the third-party subscription service. Each belongs to one account. */
export const serviceCustomers = pgTable(
  'service_customers',
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    customerId: text().notNull().unique(),
    /** Address by which the service knows the customer. It does not change when the account's address changes. */
    email: text().notNull(),
    /** When the service is queried next about the customer. */
    checkAt: moment().notNull(),
    /**
     * Until when a purchase may still be missing in the answers, because a checkout was opened. Null before
     * the first checkout.
     */
    purchaseExpectedUntil: moment(),
    /**
     * Counts the answers that were applied. An answer is outdated if it was requested before the last applied
     * answer.
     */
    turn: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.checkAt)],
)

/** Subscriptions, as the service reports them. Rows are added and ended: a changed subscription is a new row. */
export const serviceSubscriptions = pgTable(
  'service_subscriptions',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The service's id of the subscription. */
    reference: text().notNull(),
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    /** A4.1: Active 10, Cancelled 40. */
    statusId: integer().notNull(),
    validFrom: moment().notNull(),
    validTo: moment().notNull(),
    endedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('service_subscriptions_once')
      .on(table.accountId, table.reference, table.offerRevisionId)
      .where(sql`${table.endedAt} is null`),
    index().on(table.accountId),
    index().on(table.offerRevisionId),
  ],
)
