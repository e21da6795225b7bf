import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, serial, smallint, text } from 'drizzle-orm/pg-core'
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { channels } from '../line-up/line-up.table.ts'
import { assets, images } from '../titles/titles.table.ts'

/**
 * Starts of the other showings of a programme nearby, in milliseconds since the Unix epoch. They distinguish a
 * programme that has moved from a dropped programme with another showing.
 */
export interface OtherStarts {
  byId: number[]
  byContent: number[]
}

/** Start and end of a break between two parts of a split programme, in milliseconds since the Unix epoch. */
export type Break = [startsAt: number, endsAt: number]

/**
 * Programmes that viewers record. Each row pins an interval of its channel's Timeline: media of the interval is not
 * swept while the row exists. All recordings of a programme share the row, and it is deleted with the last of them
 * (docs/decisions/0078).
 */
export const recordedProgrammes = pgTable(
  'recorded_programmes',
  {
    id: serial().primaryKey(),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** The programme in the guide; null once the guide has dropped it. Guides delete past programmes. */
    programmeId: integer(),
    universalId: text().notNull(),
    /** As the guide announced the programme last. */
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    /** The pinned interval: the programme with its margins. */
    pinnedFrom: moment().notNull(),
    pinnedTo: moment().notNull(),
    otherStarts: jsonb().$type<OtherStarts>().notNull(),
    /** Other programmes between the parts of a split programme. They do not belong to the recording. */
    breaks: jsonb().$type<Break[]>().notNull().default([]),
    /** The library title that plays. If set, its values in the catalogue have precedence. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    titles: jsonb().$type<LocalisedText>().notNull(),
    subtitles: jsonb().$type<LocalisedText>().notNull(),
    descriptions: jsonb().$type<LocalisedText>().notNull(),
    genres: text().array().notNull(),
    /** 0 to 6. */
    moralityLevel: smallint().notNull(),
    adult: boolean().notNull(),
    seasonNumber: integer(),
    episodeNumber: integer(),
    imageAddress: text(),
    imageId: text().references(() => images.id, { onDelete: 'set null' }),
    /** When the guide dropped the programme; null while the guide has it. */
    droppedAt: moment(),
    /** Since when the guide forbids the recording of a programme that had not begun; null while it allows it. */
    withheldAt: moment(),
    /** When all accounts were last told that the guide dropped the programme. */
    dropToldAt: moment(),
    /** When the result was recorded, after the end of the interval; null until then. */
    settledAt: moment(),
    /** Seconds of the programme without media. */
    missingSeconds: integer().notNull().default(0),
    failed: boolean().notNull().default(false),
    /** Since when the interval is not pinned, because every recording has its own copy; null while it is pinned. */
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
      .where(sql`dropped_at is not null and settled_at is null`),
    index('recorded_programmes_unsettled').on(table.id).where(sql`settled_at is null`),
    index('recorded_programmes_pinned')
      .on(table.id)
      .where(sql`settled_at is not null and unpinned_at is null`),
  ],
)
