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
    /** Id of the series in the library; null for a series that only guides contain. */
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    /** Titles of the series. If the series has no category, its episodes are found by these titles. */
    titles: jsonb().$type<LocalisedText>().notNull(),
    episodes: text({ enum: RECORDED_EPISODES }).notNull(),
    /** Null for any channel. */
    channelId: integer().references(() => channels.id, { onDelete: 'cascade' }),
    /** Number of recordings to keep; null for all. */
    keepLast: integer(),
    /**
     * Keys of the episodes that this series recording has recorded, once for each recording. A deleted episode is not
     * recorded again.
     */
    handled: text().array().notNull().default([]),
    /** Whether an episode was left out at the last attempt, because the recording time was used up. */
    isFull: boolean().notNull().default(false),
    /** When the profile ended the series recording. The row is deleted once this can no longer be undone. */
    removedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.profileId), index().on(table.removedAt).where(sql`removed_at is not null`)],
)

/** Recordings of profiles (A3-32). The recorded programme holds the data of the programme and of its media. */
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
    /**
     * The packages of the channel at the time of the request. If empty, every account may play the recording (spec
     * 53).
     */
    packageIds: integer().array().notNull(),
    /** The series recording that requested this recording; null for a request of the profile. */
    seriesRecordingId: integer().references(() => seriesRecordings.id, { onDelete: 'set null' }),
    /**
     * A separate copy of the media, added with the request; null if the recording shares the media of the channel.
     */
    copyId: integer().references(() => recordingCopies.id),
    /** When the profile stopped the recording while it ran. */
    stoppedAt: moment(),
    /**
     * Result of a stopped recording, for the part before the stop. The fields are like those of the recorded
     * programme. Null for a recording that was not stopped, or is not settled: then the result of the programme
     * applies.
     */
    failed: boolean(),
    missingSeconds: integer(),
    /** When the account was last told that the guide dropped the programme, or forbade its recording. */
    dropToldAt: moment(),
    /** When the profile deleted the recording. The row stays until the deletion can no longer be undone. */
    removedAt: moment(),
    /** When the account lost the last of `packageIds`; null while the account has one of them. */
    lostSince: moment(),
    /** Where the profile stopped watching, on the clock of the channel. */
    watchedTo: moment(),
    /** When `watchedTo` was reported. */
    watchedAt: moment(),
    /**
     * When the profile removed the recording from Continue watching. Playback that is reported later (`watchedAt`) adds
     * it again.
     */
    unlistedAt: moment(),
    /** When the profile added the recording to its favourites; null if it is none. */
    favouriteAt: moment(),
    /** When the present playback ends, unless a heartbeat extends it. */
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
