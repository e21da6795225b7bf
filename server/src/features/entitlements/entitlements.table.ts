import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, type Texts } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { assets, categories } from '../catalogue/catalogue.table.ts'
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

/** Series and seasons whose episodes stand in a package, also those that come later: triggers keep `package_assets` (`packages.index.sql`). */
export const packageCategories = pgTable(
  'package_categories',
  {
    packageId: integer()
      .notNull()
      .references(() => packages.id, { onDelete: 'cascade' }),
    categoryId: integer()
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ columns: [table.packageId, table.categoryId] }), index().on(table.categoryId)],
)

/** What gave an account a right. */
export const grantSource = pgEnum('grant_source', [
  'subscription',
  'rental',
  'payPerView',
  'gift',
  'operator',
  'store',
  'subscriptionService',
])

/**
 * What an account may watch, from when and until when. Rows are added and ended, never overwritten, so that they tell
 * what an account had at any time. Active (10) and Cancelled (40) both give access (spec decision 34).
 */
export const grants = pgTable(
  'grants',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    // What it opens: exactly one of these. An event is an asset, a series or a season is a category.
    packageId: integer().references(() => packages.id),
    assetId: integer().references(() => assets.id, { onDelete: 'cascade' }),
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    channelId: integer().references(() => channels.id, { onDelete: 'cascade' }),
    /** A4.1: Ordered 60, PendingPayment 20, Active 10, Cancelled 40. */
    statusId: integer().notNull(),
    source: grantSource().notNull(),
    /** Which subscription's period, which order's item, which transaction of a store, which act of an operator: each gives a right once. */
    sourceId: text().notNull(),
    validFrom: moment().notNull(),
    /** Null: until further notice. A rental with a slot has to be begun before. */
    validTo: moment(),
    /** Of a rental: how long it plays from its first play on, in seconds (spec decision 49). */
    slotSeconds: integer(),
    /** When a rental was played for the first time. */
    startedAt: moment(),
    /** When it was ended before its time. */
    endedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    check(
      'grants_open_one',
      sql`num_nonnulls(${table.packageId}, ${table.assetId}, ${table.categoryId}, ${table.channelId}) = 1`,
    ),
    unique('grants_once')
      .on(
        table.accountId,
        table.source,
        table.sourceId,
        table.packageId,
        table.assetId,
        table.categoryId,
        table.channelId,
      )
      .nullsNotDistinct(),
    index().on(table.accountId),
    index().on(table.packageId),
    index().on(table.assetId),
    index().on(table.categoryId),
    index().on(table.channelId),
  ],
)
