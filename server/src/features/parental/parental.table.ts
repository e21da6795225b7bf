import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** Parental codes of the accounts that have set one (A3-12, spec decision 28). */
export const parentalCodes = pgTable('parental_codes', {
  accountId: integer()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** argon2id, in its own string format. */
  codeHash: text().notNull(),
  /** Proofs of an earlier code hold no more. */
  changedAt: moment().notNull(),
})
