import { index, integer, jsonb, pgTable, primaryKey, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment, type Texts } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { assets } from '../catalogue/catalogue.table.ts'
import { channels } from '../channels/channels.table.ts'

/** What is sold together: assets and channels. */
export const packages = pgTable('packages', {
  id: serial().primaryKey(),
  /** A name for scripts and files, such as `cinema`. */
  key: text().notNull().unique(),
  names: jsonb().$type<Texts>().notNull(),
  createdAt: createdAt(),
})

export const packageAssets = pgTable(
  'package_assets',
  {
    packageId: integer()
      .notNull()
      .references(() => packages.id, { onDelete: 'cascade' }),
    assetId: integer()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.packageId, table.assetId] }), index().on(table.assetId)],
)

export const packageChannels = pgTable(
  'package_channels',
  {
    packageId: integer()
      .notNull()
      .references(() => packages.id, { onDelete: 'cascade' }),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.packageId, table.channelId] }), index().on(table.channelId)],
)

/** What an account holds. Active (10) and Cancelled (40) both give access until `validTo` (decision 34). */
export const accountPackages = pgTable(
  'account_packages',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    packageId: integer()
      .notNull()
      .references(() => packages.id),
    /** A4.1: Ordered 60, PendingPayment 20, Active 10, Cancelled 40. */
    statusId: integer().notNull(),
    validFrom: moment().notNull(),
    /** Null: until further notice. */
    validTo: moment(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.packageId] })],
)
