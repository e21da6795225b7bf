import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'

/** Customers at the third-party subscription service. Each belongs to one account. */
export const serviceCustomers = pgTable(
  'service_customers',
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    customerId: text().notNull().unique(),
    /** The address by which the service knows the customer. It stays when the account gets another. */
    email: text().notNull(),
    /** When the service is asked next what the customer holds. */
    checkAt: moment().notNull(),
    /** Until when something that was bought there may still be missing: the checkout was opened shortly before. Null before the first time. */
    purchaseExpectedUntil: moment(),
    /** Counts the answers that were taken over. An answer that was asked for before the last of them is out of date. */
    turn: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.checkAt)],
)

/** Subscriptions at the service, as it told of them. Rows are added and ended: one that has changed there is another row. */
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
