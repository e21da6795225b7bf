import { index, integer, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { bytes, createdAt, moment } from '../../../database/columns.ts'
import { categories } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/**
 * The key pair with which the installation identifies itself to push services (RFC 8292). Subscriptions are bound to
 * the key pair, so it never changes.
 */
export const pushKeys = pgTable('push_keys', {
  id: text().primaryKey(),
  /** Private key on P-256, 32 bytes. */
  secret: bytes().notNull(),
  createdAt: createdAt(),
})

/** Browsers that show notifications of a profile (docs/decisions/0097). */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    deviceId: integer()
      .notNull()
      .references(() => devices.id, { onDelete: 'cascade' }),
    /** Address at the browser's push service. A secret: with the key pair, it suffices to call the push service. */
    endpoint: text().notNull(),
    /** Public key of the browser, an uncompressed point of P-256 in base64url (RFC 8291). */
    publicKey: text().notNull(),
    /** Authentication secret of the browser, 16 bytes in base64url. */
    secret: text().notNull(),
    /**
     * When the push service first said that the subscription has ended. The row stays for a while, because the browser
     * may report a new subscription in its place.
     */
    endedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.deviceId, table.profileId),
    index().on(table.profileId),
    index().on(table.accountId),
    index().on(table.endpoint),
  ],
)

/** Followed series, with the episodes that were already announced or seen. */
export const announcedSeries = pgTable('announced_series', {
  categoryId: integer()
    .primaryKey()
    .references(() => categories.id, { onDelete: 'cascade' }),
  /** Ids of the episodes that were ready at an earlier look. */
  episodeIds: integer().array().notNull(),
})
