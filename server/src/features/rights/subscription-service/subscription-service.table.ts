import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'

/** Customers at the third-party subscription service. Each customer belongs to one account. */
export const serviceCustomers = pgTable(
  'service_customers',
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    customerId: text().notNull().unique(),
    /** E-mail address of the customer at the service. It stays the same when the account's address changes. */
    email: text().notNull(),
    /** Time of the next query. */
    checkAt: moment().notNull(),
    /**
     * Until this time, a new purchase can still be missing in the service's response, because a checkout was
     * opened. Null before the first checkout.
     */
    purchaseExpectedUntil: moment(),
    /** Number of applied responses. A response is outdated if another response was applied after its request. */
    turn: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.checkAt)],
)

/**
 * Subscriptions as the service reports them. Rows are added and ended, never changed: a changed subscription gets
 * a new row.
 */
export const serviceSubscriptions = pgTable(
  'service_subscriptions',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Id of the subscription at the service. */
    reference: text().notNull(),
    offerRevisionId: integer()
      .notNull()
      .references(() => offerRevisions.id),
    /** Status of the right (A4.1): Active 10, Cancelled 40. */
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
