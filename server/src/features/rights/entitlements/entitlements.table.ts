import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'

/** Packages of assets and channels that are sold together. */
export const packages = pgTable('packages', {
  id: serial().primaryKey(),
  /** Identifier for scripts and files, such as `cinema`. */
  key: text().notNull().unique(),
  names: jsonb().$type<LocalisedText>().notNull(),
  /** Recording time that the package gives to an account, in hours. */
  recordingHours: integer().notNull().default(0),
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

/**
 * Series and seasons in packages. All their episodes belong to the package, including episodes that are added
 * later: triggers update `package_assets` (`packages.index.sql`).
 */
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

/** How an account can obtain a right to content. */
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
 * Rights of accounts to content, with their periods. A row is added and ended but never overwritten, so the table
 * shows the rights of an account at any time. Active (10) and Cancelled (40) both give access (spec 34).
 */
export const grants = pgTable(
  'grants',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    // Target of the right: exactly one of these columns is set. An event is an asset. A series or a season is a
    // category.
    packageId: integer().references(() => packages.id),
    assetId: integer().references(() => assets.id, { onDelete: 'cascade' }),
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    channelId: integer().references(() => channels.id, { onDelete: 'cascade' }),
    /** Status of the right (A4.1): Ordered 60, PendingPayment 20, Active 10, Cancelled 40. */
    statusId: integer().notNull(),
    source: grantSource().notNull(),
    /**
     * Id of the source of the right, unique within its kind: for example of an order item, of a purchase in an app
     * store or of a used code. Each source gives the same right only once.
     */
    sourceId: text().notNull(),
    validFrom: moment().notNull(),
    /**
     * When the right ends; null for an unlimited right. If `slotSeconds` is set, the rental must be started before
     * this time.
     */
    validTo: moment(),
    /** Only for rentals: how long the title may be watched after the first play, in seconds (spec 49). */
    slotSeconds: integer(),
    /** Whether the account may download the content (A3-18). */
    downloads: boolean().notNull().default(true),
    /** Greatest height of video that the right allows, in lines; null for no limit. */
    maximumHeight: integer(),
    /** When a rental was played for the first time. */
    startedAt: moment(),
    /** When the right was ended before its regular end. */
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
