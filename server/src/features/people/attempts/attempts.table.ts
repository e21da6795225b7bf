import { integer, pgEnum, pgTable, primaryKey } from 'drizzle-orm/pg-core'
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
