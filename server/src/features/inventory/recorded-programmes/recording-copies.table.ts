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
 * Copies of media that belong to one recording each (docs/decisions/0094). A recording refers to its copy from the
 * request on. A copy that no recording refers to is swept.
 */
export const recordingCopies = pgTable(
  'recording_copies',
  {
    id: serial().primaryKey(),
    /** The process that makes or sweeps the copy, or the sessions that may still play a replaced copy. */
    heldBy: text(),
    /** Another process may take the copy after this time. After a failure, it is the time of the next attempt. */
    heldUntil: moment(),
    /** When its TrackSets were described; null before. */
    plannedAt: moment(),
    /** When the last file was written. From then on, the recording plays the copy. */
    readyAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    // In the order in which copies are made.
    index('recording_copies_unready')
      .on(table.heldUntil.asc().nullsFirst(), table.id)
      .where(sql`ready_at is null`),
  ],
)

/**
 * The TrackSets of copies. A row repeats the counts of its source, and its place on the channel's clock. So the
 * manifest of a copy differs from the channel's manifest only in the ids of TrackSets and keys.
 */
export const copiedSets = pgTable(
  'copied_sets',
  {
    copyId: integer()
      .notNull()
      .references(() => recordingCopies.id),
    /** As in the channel. */
    position: integer().notNull(),
    trackSetId: text()
      .notNull()
      .unique()
      .references(() => trackSets.id),
    /** The TrackSet of the channel, which may be swept once the copy is ready. */
    sourceId: text().notNull(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** Null for an entry of a library channel. */
    joint: text().$type<Joint>(),
    isSlate: boolean().notNull(),
    /** The title that plays on a library channel. If set, its rating in the catalogue has precedence. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    moralityLevel: smallint(),
    adult: boolean(),
    isRecordingForbidden: boolean().notNull(),
    /** Counted from 0. */
    firstSegment: integer().notNull(),
    segmentCount: integer().notNull(),
    mediaSequence: bigint({ mode: 'number' }).notNull(),
    discontinuitySequence: bigint({ mode: 'number' }).notNull(),
    /** The segments of the recording's interval, counted in the TrackSet from 0. Only they are copied. */
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
