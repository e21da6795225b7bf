import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'

/**
 * Sign-ins that ended before their tokens do (decision 47). One row ends one sign-in, what a device plays, or sign-ins of
 * an account. Triggers write those of devices and accounts (`sign-ins.index.sql`), so that no writer can forget to.
 *
 * A row with `childProfileId` ends no sign-in: it says who watches in it, whatever its older tokens say (decision 46).
 */
export const signInEndings = pgTable('sign_in_endings', {
  id: serial().primaryKey(),
  // No reference: the rows of a deleted account are the ones that matter.
  accountId: integer().notNull(),
  /** The sign-in that ended; null where the row is not of one sign-in. */
  signIn: text(),
  /** The device that was removed. */
  deviceId: integer(),
  /** Sign-ins from before this moment ended: the password has changed. Null with neither of the above: all, while the account is closed. */
  before: moment(),
  /** The child's profile that watches in the sign-in; 0 where a grown-up's was chosen after it. */
  childProfileId: integer(),
  endedAt: createdAt(),
})
