import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { storefronts } from '../../settings/storefronts/storefronts.table.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** Identities of accounts at the operator's identity provider (A4.3-01). */
export const identities = pgTable(
  'identities',
  {
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id),
    issuer: text().notNull(),
    /** The provider's id of the person (OpenID Connect `sub`), which never changes. */
    subject: text().notNull(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Verified e-mail address at the last sign-on; null if the provider has verified none since it is stored. */
    email: text(),
    /** Names at the last sign-on; empty if the provider has sent none since they are stored. */
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.storefrontId, table.issuer, table.subject] })],
)
