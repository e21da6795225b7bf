import type { CastCommand, CastMedia, ScreenState } from '@ondine/contract/casting'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/** Devices that have been open as screens for casting. */
export const screens = pgTable(
  'screens',
  {
    deviceId: integer()
      .primaryKey()
      .references(() => devices.id, { onDelete: 'cascade' }),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /**
     * Random name of the screen's open connection, which can belong to any process; null if the screen has no
     * connection.
     */
    connection: text(),
    /** When a process last recorded that the connection is open. */
    seenAt: moment().notNull(),
    /**
     * Number of the last command. An update of this number locks the row, so the commands of a screen are
     * committed in the order of their numbers.
     */
    lastCommand: integer().notNull().default(0),
    /** Profile that cast the current content. */
    castBy: integer().references(() => profiles.id, { onDelete: 'set null' }),
    /** The state that the screen has reported; null if nothing plays. */
    state: jsonb().$type<ScreenState>(),
  },
  (table) => [index().on(table.accountId), index().on(table.castBy)],
)

/** A stored command to a screen: a command of the contract, or the media to play. */
export type StoredCommand = CastCommand | { type: 'load'; media: CastMedia; parentalProof?: string }

/** The latest commands to screens, for screens that reconnect. */
export const screenCommands = pgTable(
  'screen_commands',
  {
    deviceId: integer()
      .notNull()
      .references(() => screens.deviceId, { onDelete: 'cascade' }),
    number: integer().notNull(),
    /** Profile that has sent the command. */
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    command: jsonb().$type<StoredCommand>().notNull(),
    sentAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.deviceId, table.number] }), index().on(table.profileId)],
)
