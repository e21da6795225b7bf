import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, serial, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { channels } from '../line-up/line-up.table.ts'
import { assets, images } from '../titles/titles.table.ts'

/**
 * Start times of a programme's other showings that are near in time, in milliseconds since the Unix epoch. They
 * distinguish a programme that was moved from a programme that was dropped and has another showing.
 */
export interface OtherStarts {
  byId: number[]
  byContent: number[]
}

/** Start and end of a break between two parts of a split programme, in milliseconds since the Unix epoch. */
export type Break = [startsAt: number, endsAt: number]

/**
 * Programmes that viewers record. While the row exists, no sweep removes the media of its pinned interval. All
 * recordings of a programme share the row. Deleting the last recording deletes the row (docs/decisions/0078).
 */
export const recordedProgrammes = pgTable(
  'recorded_programmes',
  {
    id: serial().primaryKey(),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /**
     * The programme in the guide; null if the guide no longer contains the programme. Guides delete past
     * programmes.
     */
    programmeId: integer(),
    universalId: text().notNull(),
    /** Times of the programme according to the latest guide. */
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** The pinned interval: the programme with its margins. */
    pinnedFrom: moment().notNull(),
    pinnedTo: moment().notNull(),
    otherStarts: jsonb().$type<OtherStarts>().notNull(),
    /** Other programmes between the parts of a split programme. The recording does not include them. */
    breaks: jsonb().$type<Break[]>().notNull().default([]),
    /** The recorded title of the library. If set, the title's metadata takes precedence over the columns here. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    titles: jsonb().$type<LocalisedText>().notNull(),
    subtitles: jsonb().$type<LocalisedText>().notNull(),
    descriptions: jsonb().$type<LocalisedText>().notNull(),
    genres: text().array().notNull(),
    /** Age level, 0 to 6. */
    moralityLevel: smallint().notNull(),
    adult: boolean().notNull(),
    seasonNumber: integer(),
    episodeNumber: integer(),
    imageAddress: text(),
    imageId: text().references(() => images.id, { onDelete: 'set null' }),
    /** When the guide dropped the programme; null while the guide contains it. */
    droppedAt: moment(),
    /**
     * When the guide forbade recording the programme, which had not begun yet. Null while recording is allowed.
     */
    withheldAt: moment(),
    /** When all accounts were last notified that the guide dropped the programme, or forbade its recording. */
    dropToldAt: moment(),
    /** When the result was stored, after the end of the interval; null until then. */
    settledAt: moment(),
    /** Total duration of the parts of the programme without media, in seconds. */
    missingSeconds: integer().notNull().default(0),
    failed: boolean().notNull().default(false),
    /**
     * When the interval stopped being pinned, because each recording has its own copy; null while it is pinned.
     */
    unpinnedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.channelId, table.pinnedTo),
    index().on(table.pinnedTo),
    index().on(table.programmeId),
    index().on(table.assetId).where(sql`asset_id is not null`),
    index().on(table.imageId).where(sql`image_id is not null`),
    index('recorded_programmes_dropped')
      .on(table.id)
      .where(sql`(dropped_at is not null or withheld_at is not null) and settled_at is null`),
    index('recorded_programmes_unsettled').on(table.id).where(sql`settled_at is null`),
    index('recorded_programmes_pinned')
      .on(table.id)
      .where(sql`settled_at is not null and unpinned_at is null`),
  ],
)
