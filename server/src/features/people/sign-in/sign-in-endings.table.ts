import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'

/**
 * Sign-ins that ended before their tokens expire (spec 47). One row ends one sign-in, one device's playback, or
 * several sign-ins of an account. Triggers write the rows for devices and accounts (`sign-ins.index.sql`), so that
 * no code path can omit them.
 *
 * A row with `childProfileId` does not end a sign-in. It records the active profile of the sign-in, and overrides
 * older tokens (spec 46).
 */
export const signInEndings = pgTable('sign_in_endings', {
  id: serial().primaryKey(),
  // No foreign key, because the rows must outlive a deleted account.
  accountId: integer().notNull(),
  /** The sign-in that ended; null if the row does not end a single sign-in. */
  signIn: text(),
  /** The device that was removed. */
  deviceId: integer(),
  /**
   * Sign-ins of the account that began before this time have ended, because the password changed. In the row of a
   * closed account, `before` and the columns above are null: all its sign-ins have ended. That row is deleted when
   * the account is opened again.
   */
  before: moment(),
  /**
   * The active child's profile of the sign-in; 0 if an adult's profile was chosen after a child's. Null in a row
   * that ends sign-ins.
   */
  childProfileId: integer(),
  endedAt: createdAt(),
})
