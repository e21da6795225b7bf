import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt } from '../../database/columns.ts'
import { storefronts } from '../storefronts/storefronts.table.ts'

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
    /** As it is compared: trimmed and in lower case. */
    email: text().notNull(),
    /** argon2id, in its own string format. */
    passwordHash: text().notNull(),
    firstName: text().notNull().default(''),
    lastName: text().notNull().default(''),
    language: text().notNull().default('fra'),
    status: accountStatus().notNull().default('ACTIVE'),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex().on(table.storefrontId, table.email)],
)

/** Who watches (A3-08). Every account has exactly one default profile (A4.6-05). */
export const profiles = pgTable(
  'profiles',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    language: text().notNull().default('fra'),
    kid: boolean().notNull().default(false),
    isDefault: boolean().notNull().default(false),
    /** 0 to 6; 0 means no limit (decision 27). */
    maximumMoralityLevel: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.accountId),
    uniqueIndex('profiles_one_default').on(table.accountId).where(sql`${table.isDefault}`),
  ],
)
