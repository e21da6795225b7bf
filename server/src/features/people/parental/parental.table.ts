import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** Parental codes of accounts (A3-12, spec 28). */
export const parentalCodes = pgTable('parental_codes', {
  accountId: integer()
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** argon2id hash in PHC string format. */
  codeHash: text().notNull(),
  /** Time of the last change of the code. Proofs of an earlier code are not valid. */
  changedAt: moment().notNull(),
})
