import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  serial,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, type Texts } from '../../database/columns.ts'
import { assets, images } from '../catalogue/catalogue.table.ts'
import { channelLists, channels } from '../channels/channels.table.ts'
import type { ProgrammeDetails } from './programme-details.ts'

/** Where a guide comes from: an XMLTV file that is imported again and again. */
export const guideSources = pgTable('guide_sources', {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  /** An http or https address, or the absolute path of a file. */
  location: text().notNull(),
  /** For times that say no zone themselves: an IANA name. */
  timeZone: text().notNull().default('UTC'),
  /** What it is imported again by, in UTC; null for only when it is asked for. */
  cron: text(),
  /** Three-letter code of texts that name no language. */
  language: text().notNull().default('fra'),
  /** What counts for a programme without a rating that we know. 0 to 6. */
  unratedLevel: smallint().notNull().default(6),
  /** Channels by the ids of the file: a channel's guide id, its name, or its number. */
  mapping: jsonb().$type<Record<string, string>>().notNull().default({}),
  /** Of several sources of a channel, the one with the highest counts, and the others fill its gaps; among equals, the last import. */
  priority: smallint().notNull().default(50),
  createdAt: createdAt(),
})

/** No programme lasts longer, in milliseconds: what lets an index bound a window on both sides. A day may have 25 hours. */
export const LONGEST_PROGRAMME_MS = 25 * 3600_000

/**
 * The guide: what channels announce, whatever they play. A library channel's schedule writes its own programmes, an import those
 * of the channels that it knows, so that one query reads both (V3-24).
 */
export const programmes = pgTable(
  'programmes',
  {
    id: serial().primaryKey(),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** The import that it comes from; null when the channel's own schedule announced it. */
    sourceId: integer().references(() => guideSources.id, { onDelete: 'cascade' }),
    /** Names the programme outside: the source's own id of it, where it has one (V3-24). */
    universalId: text().notNull(),
    startsAt: moment().notNull(),
    /** When the next one begins, or nothing is announced any more. */
    endsAt: moment().notNull(),
    /** The title that plays, when it comes from the library: what the catalogue says of it then counts. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    /** As it was announced; all of the following counts where no asset stands behind the programme. */
    titles: jsonb().$type<Texts>().notNull(),
    subtitles: jsonb().$type<Texts>().notNull().default({}),
    descriptions: jsonb().$type<Texts>().notNull().default({}),
    genres: text().array().notNull().default([]),
    /** 0 to 6. Unrated is as unsuitable for children as can be. */
    moralityLevel: smallint().notNull().default(6),
    adult: boolean().notNull().default(false),
    year: smallint(),
    seasonNumber: integer(),
    episodeNumber: integer(),
    isNew: boolean().notNull().default(false),
    isRepeat: boolean().notNull().default(false),
    isLive: boolean().notNull().default(false),
    /** Three-letter codes. */
    audioLanguages: text().array().notNull().default([]),
    subtitleLanguages: text().array().notNull().default([]),
    /** Address of a picture, as the source has it: nothing but the checked outbound path may fetch it. */
    imageAddress: text(),
    /** The picture of a block of a library channel. */
    imageId: text().references(() => images.id),
    details: jsonb().$type<ProgrammeDetails>().notNull().default({}),
    /** Of all that an import wrote: what has not changed is not written again. */
    digest: text(),
    /** Equal for equal titles of equal rating: what search knows a programme by when no asset stands behind it. */
    programmeKey: text().generatedAlwaysAs(
      sql`md5(titles::text || ' ' || morality_level::text || ' ' || adult::text)`,
    ),
  },
  (table) => [
    // A channel announces one thing at a time.
    uniqueIndex().on(table.channelId, table.startsAt),
    index().on(table.channelId, table.endsAt),
    // When a title is shown, which search asks for.
    index().on(table.assetId, table.endsAt),
    index('programmes_programme_key').on(table.programmeKey, table.endsAt).where(sql`asset_id is null`),
    index().on(table.imageId).where(sql`image_id is not null`),
    // What is over, to be forgotten.
    index().on(table.endsAt),
  ],
)

/**
 * Pictures that guides name for their programmes, by their addresses. They come and go by the thousand, so that they stand apart from
 * those of the catalogue, of which every reader hears.
 */
export const guidePictures = pgTable(
  'guide_pictures',
  {
    address: text().primaryKey(),
    /** Names its content in the store of pictures; empty when it could not be had. */
    imageId: text().notNull().default(''),
    width: integer().notNull().default(0),
    height: integer().notNull().default(0),
    color: text().notNull().default(''),
    triedAt: moment().notNull(),
  },
  (table) => [index().on(table.imageId)],
)

/** An import of a guide or of a list of channels: how far it is, and what it came to. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: serial().primaryKey(),
    /** One of the two. */
    sourceId: integer().references(() => guideSources.id, { onDelete: 'cascade' }),
    listId: integer().references(() => channelLists.id, { onDelete: 'cascade' }),
    startedAt: moment().notNull(),
    endedAt: moment(),
    /** 0 to 100. */
    percent: real().notNull().default(0),
    /** Why nothing was taken, in words; null while it runs, and when it was taken. */
    failure: text(),
    counts: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** What was refused or mended: the first of them, with lines and reasons. */
    remarks: jsonb().$type<{ line: number; reason: string }[]>().notNull().default([]),
  },
  (table) => [index().on(table.sourceId, table.startedAt), index().on(table.listId, table.startedAt)],
)
