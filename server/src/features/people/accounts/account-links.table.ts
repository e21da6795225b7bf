import { index, integer, pgEnum, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../../database/columns.ts'
import { accounts } from './accounts.table.ts'

/** Purpose of a link in an e-mail. */
export const linkPurpose = pgEnum('account_link_purpose', ['activation', 'password', 'email'])

/**
 * Links sent to account holders by e-mail. Each works once, and only before it expires. Also the last request of an
 * account's holder for a new e-mail address, as a row with the address and without a token.
 */
export const accountLinks = pgTable(
  'account_links',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    purpose: linkPurpose().notNull(),
    /** SHA-256 of the token. Only the e-mail contains the token. Null for a void link and for a request. */
    tokenHash: bytes(),
    /** New address that a link with the purpose `email` confirms; null for a void link. */
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
