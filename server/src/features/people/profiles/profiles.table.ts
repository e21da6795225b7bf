import type { ProfileSettings } from '@ondine/contract/profiles'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt } from '../../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'

/** Profiles (A3-08). Every account has exactly one default profile (A4.6-05). */
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
    /**
     * Whether an adult's profile has parental control: titles above `maximumMoralityLevel` then require the
     * parental code (A6-06).
     */
    parentalControl: boolean().notNull().default(false),
    /** Id of an avatar; null for the default picture. */
    avatarId: integer(),
    settings: jsonb().$type<ProfileSettings>().notNull().default({}),
    /** Highest age level of the titles that the profile may see, 0 to 6. 0 means no limit (spec 27). */
    maximumMoralityLevel: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.accountId),
    uniqueIndex('profiles_one_name').on(table.accountId, sql`lower(${table.name})`),
    uniqueIndex('profiles_one_default').on(table.accountId).where(sql`${table.isDefault}`),
  ],
)
