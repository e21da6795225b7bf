import { sql } from 'drizzle-orm'
import { index, integer, pgTable, serial, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/** Recordings of profiles (A3-32). The media and the programme are those of the recorded programme. */
export const recordings = pgTable(
  'recordings',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    recordedProgrammeId: integer()
      .notNull()
      .references(() => recordedProgrammes.id, { onDelete: 'cascade' }),
    /** The packages of the channel when the recording was requested. Empty: every account may play it (spec 53). */
    packageIds: integer().array().notNull(),
    /** When the profile stopped the recording while it ran. */
    stoppedAt: moment(),
    /** When the profile deleted it. The row stays until the deletion can no longer be undone. */
    removedAt: moment(),
    /** Since when the account has none of the packages; null while it has one. */
    lostSince: moment(),
    /** Where the profile stopped watching, on the clock of the channel. */
    watchedTo: moment(),
    /** When `watchedTo` was reported. */
    watchedAt: moment(),
    /** End of the present playback, unless a heartbeat extends it. */
    playingUntil: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.profileId, table.recordedProgrammeId),
    index().on(table.accountId),
    index().on(table.recordedProgrammeId),
    index().on(table.removedAt).where(sql`removed_at is not null`),
  ],
)
