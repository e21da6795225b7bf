import type { Joint } from '@ondine/media/timeline'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { assets, trackSets } from '../titles/titles.table.ts'

/**
 * Copies of media. Each copy belongs to one recording (docs/decisions/0094). From its creation on, the recording
 * refers to the copy. A sweep removes copies without a recording.
 */
export const recordingCopies = pgTable(
  'recording_copies',
  {
    id: serial().primaryKey(),
    /**
     * The process that makes or sweeps the copy. For a replaced copy, a marker that playback sessions may still
     * play it.
     */
    heldBy: text(),
    /** Until this time, no other process takes over the copy. After a failure: the time of the next attempt. */
    heldUntil: moment(),
    /** When the rows in `copied_sets` were written; null before. */
    plannedAt: moment(),
    /** When the last file was written. The recording plays the copy from then on. */
    readyAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    // For unfinished copies, sorted in the order in which they are made.
    index('recording_copies_unready')
      .on(table.heldUntil.asc().nullsFirst(), table.id)
      .where(sql`ready_at is null`),
  ],
)

/**
 * The TrackSets of copies. A row repeats the counts and times of its source. So the manifest of a copy differs
 * from the channel's manifest only in the ids of TrackSets and keys.
 */
export const copiedSets = pgTable(
  'copied_sets',
  {
    copyId: integer()
      .notNull()
      .references(() => recordingCopies.id),
    /** Same as `position` of the channel's row that is copied. */
    position: integer().notNull(),
    trackSetId: text()
      .notNull()
      .unique()
      .references(() => trackSets.id),
    /** The original TrackSet of the channel. A sweep may remove it once the copy is ready. */
    sourceId: text().notNull(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** Null for an entry of a library channel. */
    joint: text().$type<Joint>(),
    isSlate: boolean().notNull(),
    /** The title in an entry of a library channel. If set, its age level in the catalogue takes precedence. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    moralityLevel: smallint(),
    adult: boolean(),
    isRecordingForbidden: boolean().notNull(),
    /** The first segment of the TrackSet in this entry, counted from 0. */
    firstSegment: integer().notNull(),
    segmentCount: integer().notNull(),
    mediaSequence: bigint({ mode: 'number' }).notNull(),
    discontinuitySequence: bigint({ mode: 'number' }).notNull(),
    /** First segment of the recording's interval, counted from 0. Only the interval's segments are copied. */
    copiedFrom: integer().notNull(),
    copiedTo: integer().notNull(),
    /** The next segment to copy. */
    nextSegment: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.copyId, table.position] }),
    index().on(table.assetId).where(sql`asset_id is not null`),
  ],
)
