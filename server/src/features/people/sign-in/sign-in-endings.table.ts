import { boolean, index, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'

/**
 * Sign-ins that ended before their tokens expire (spec 47). One row ends one sign-in, one device's playback, or
 * several sign-ins of an account. Triggers write the rows for devices and accounts (`sign-ins.index.sql`), so that
 * no code path can omit them.
 *
 * A row with `childProfileId` does not end a sign-in. It stores the active profile of the sign-in, and overrides
 * older tokens (spec 46).
 */
export const signInEndings = pgTable(
  'sign_in_endings',
  {
    id: serial().primaryKey(),
    // No foreign key, because the rows must outlive a deleted account.
    accountId: integer().notNull(),
    /** The sign-in that ended, or whose active profile the row stores; null if the row is not about one sign-in. */
    signIn: text(),
    /** The device that was removed, whose playback ends too; null if no device was removed. */
    deviceId: integer(),
    /**
     * Sign-ins of the account that began before this time have ended, because the password changed. In the row of a
     * closed account, `signIn`, `deviceId` and `before` are null: all sign-ins of the account have ended. This row is
     * deleted when the account is opened again.
     */
    before: moment(),
    /**
     * The active child's profile of the sign-in; 0 if an adult's profile was chosen after a child's. Null in a row
     * that ends sign-ins.
     */
    childProfileId: integer(),
    /** Whether only the playback of the account has ended, because the account is suspended. */
    playbackOnly: boolean().notNull().default(false),
    endedAt: createdAt(),
  },
  // With a long TOKEN_HOURS, rows are kept for months, and each choice of a child's profile looks for those of its account.
  (table) => [index().on(table.accountId)],
)

/**
 * The values that `TOKEN_HOURS` has had, as long as tokens with these lifetimes may be valid. A token keeps the lifetime
 * that it was issued with, so a lowered setting does not shorten it.
 */
export const tokenLifetimes = pgTable('token_lifetimes', {
  /** Lifetime of the tokens, in hours, rounded up. */
  hours: integer().primaryKey(),
  /** When a process last had this setting. */
  lastUsedAt: moment().notNull(),
})
