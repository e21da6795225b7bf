import { index, integer, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../database/columns.ts'
import { accounts } from './accounts.table.ts'

/** What a link in an e-mail is good for. */
export const linkPurpose = pgEnum('account_link_purpose', ['activation', 'password', 'email'])

/** Links that were sent to holders of accounts. Each holds once, and until it expires. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    purpose: linkPurpose().notNull(),
    /** SHA-256 of the token; the token itself is only in the e-mail. Null until the e-mail is written, and once it is void. */
    tokenHash: bytes(),
    /** The new address that a link of the purpose `email` confirms. */
    email: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    uniqueIndex().on(table.tokenHash),
    index().on(table.accountId, table.purpose),
    index().on(table.expiresAt),
  ],
)
