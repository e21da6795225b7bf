import { integer, pgEnum, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** Kinds of secrets that an account can guess. */
export const attemptKind = pgEnum('attempt_kind', ['parental_code', 'pairing', 'voucher'])

/** Wrong guesses of an account, counted in the database, so that all processes share the count. */
export const attempts = pgTable(
  'attempts',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: attemptKind().notNull(),
    /** Number of guesses since the last correct one. */
    count: integer().notNull(),
    /** Time at which the count restarts. */
    until: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
)
