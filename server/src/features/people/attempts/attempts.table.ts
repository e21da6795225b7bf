import { integer, pgEnum, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** Kinds of secrets for which the number of guesses is limited. */
export const attemptKind = pgEnum('attempt_kind', ['parental_code', 'pairing', 'voucher'])

/**
 * Number of recent guesses of each account, by kind. The count is in the database, so that all processes share it.
 */
export const attempts = pgTable(
  'attempts',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: attemptKind().notNull(),
    /** Number of guesses since the last right guess, or since the count restarted. */
    count: integer().notNull(),
    /** Time at which the count restarts, unless a right guess resets the count earlier. */
    until: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
)

/**
 * Number of recent attempts of clients, for each rate limit. Without an index on `until`, an update changes no index.
 */
export const rateLimitCounts = pgTable('rate_limit_counts', {
  /** Name of the limit, and a hash of the client and of what it tries. */
  key: text().primaryKey(),
  count: integer().notNull(),
  /** End of the period, at which the count restarts. */
  until: moment().notNull(),
})
