import { boolean, integer, pgEnum, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { storefronts } from '../../settings/storefronts/storefronts.table.ts'

export const accountStatus = pgEnum('account_status', [
  'ACTIVE',
  'INACTIVE',
  'PENDING_ACTIVATION',
  'SUSPENDED',
  'BANNED',
  'ARCHIVED',
])

/** An account of a storefront (A3-01 to A3-04). */
export const accounts = pgTable(
  'accounts',
  {
    id: serial().primaryKey(),
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id),
    /** Normalised for comparison: trimmed and in lower case. */
    email: text().notNull(),
    /** argon2id hash in PHC string format; null for accounts that sign in through an identity provider. */
    passwordHash: text(),
    title: text().notNull().default(''),
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
    phoneNumber: text().notNull().default(''),
    addressStreet: text().notNull().default(''),
    addressSecondStreet: text().notNull().default(''),
    addressThirdStreet: text().notNull().default(''),
    addressNumber: text().notNull().default(''),
    addressCity: text().notNull().default(''),
    addressState: text().notNull().default(''),
    addressZip: text().notNull().default(''),
    addressCountry: text().notNull().default(''),
    /** Year-month-day; empty if unknown. */
    birthdate: text().notNull().default(''),
    allowNews: boolean().notNull().default(false),
    /** When the holder accepted the general conditions. */
    termsAcceptedAt: moment(),
    consentStatus: text({ enum: ['', 'accepted', 'declined'] })
      .notNull()
      .default(''),
    consentAt: moment(),
    /** Version of the consent text that the holder has accepted or declined. */
    consentVersion: text().notNull().default(''),
    /**
     * Sign-ins that began before this time are no longer valid. The value is one second after the last change of
     * the password; null if the password never changed.
     */
    sessionsFrom: moment(),
    language: text().notNull().default('fra'),
    status: accountStatus().notNull().default('ACTIVE'),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex().on(table.storefrontId, table.email)],
)
