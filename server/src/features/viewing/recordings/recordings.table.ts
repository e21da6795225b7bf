import { RECORDED_EPISODES } from '@ondine/contract/recordings'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { recordingCopies } from '../../inventory/recorded-programmes/recording-copies.table.ts'
import { categories } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/** Series that profiles record. */
export const seriesRecordings = pgTable(
  'series_recordings',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** The series, in the library. Null for a series that only guides know. */
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    /** Titles of the series. If the series has no category, its episodes are found by these titles. */
    titles: jsonb().$type<LocalisedText>().notNull(),
    episodes: text({ enum: RECORDED_EPISODES }).notNull(),
    /** Null for any channel. */
    channelId: integer().references(() => channels.id, { onDelete: 'cascade' }),
    /** Null: all recordings are kept. */
    keepLast: integer(),
    /** Keys of the episodes that were recorded for it, so that a deleted one is not recorded again. */
    handled: text().array().notNull().default([]),
    /** Whether an episode was left out at the last attempt, because the recording time was used up. */
    isFull: boolean().notNull().default(false),
    /** When the profile ended it. The row stays until that can no longer be undone. */
    removedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.profileId), index().on(table.removedAt).where(sql`removed_at is not null`)],
)

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
    /** The packages of the channel when the recording was requested. If empty, every account may play it (spec 53). */
    packageIds: integer().array().notNull(),
    /** The series recording that requested it; null if the profile did so itself. */
    seriesRecordingId: integer().references(() => seriesRecordings.id, { onDelete: 'set null' }),
    /** Its own copy of the media, from the request on; null if it shares the media of the channel. */
    copyId: integer().references(() => recordingCopies.id),
    /** When the profile stopped the recording while it ran. */
    stoppedAt: moment(),
    /**
     * Result of the part before the profile stopped the recording, like the fields of the recorded programme with these
     * names. Null for a recording that was not stopped or is not settled: the result of the programme applies.
     */
    failed: boolean(),
    missingSeconds: integer(),
    /** When the account was last told that the guide dropped the programme. */
    dropToldAt: moment(),
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
    index().on(table.recordedProgrammeId, table.id),
    index('recordings_stopped')
      .on(table.recordedProgrammeId)
      .where(sql`stopped_at is not null and failed is null`),
    index().on(table.seriesRecordingId).where(sql`series_recording_id is not null`),
    uniqueIndex().on(table.copyId).where(sql`copy_id is not null`),
    index().on(table.removedAt).where(sql`removed_at is not null`),
  ],
)
