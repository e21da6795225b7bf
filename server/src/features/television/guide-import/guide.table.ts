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
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { channelLists, channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, images } from '../../inventory/titles/titles.table.ts'
import type { ProgrammeDetails } from './programme-details.ts'

/** Source of a guide: an XMLTV file that is imported repeatedly. */
export const guideSources = pgTable('guide_sources', {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  /** An http or https address, or the absolute path of a file. */
  location: text().notNull(),
  /** Time zone of times without a zone: an IANA name. */
  timeZone: text().notNull().default('UTC'),
  /** Schedule of its imports, in UTC; null if the guide is imported on request only. */
  cron: text(),
  /** Three-letter code of the language of texts that do not name their language. */
  language: text().notNull().default('fra'),
  /** Level of a programme without a known rating, 0 to 6. */
  unratedLevel: smallint().notNull().default(6),
  /** Maps channel ids of the file to channels of the service. A channel is given by its guide id, name or number. */
  mapping: jsonb().$type<Record<string, string>>().notNull().default({}),
  /**
   * If a channel has several sources, the source with the highest priority has precedence, and the other sources
   * fill its gaps. Among sources of equal priority, the last import has precedence.
   */
  priority: smallint().notNull().default(50),
  createdAt: createdAt(),
})

/**
 * Longest duration of a programme, in milliseconds: 25 hours, the longest day. Because of this limit, a query for a
 * window can give both a lower and an upper bound for `ends_at`, and so use an index.
 */
export const LONGEST_PROGRAMME_MS = 25 * 3600_000

/**
 * The guide: programmes of channels of all kinds, so that one query reads them all (V3-24). The schedule of a
 * library channel writes the programmes of that channel. Imports of guides write the programmes of the other
 * channels.
 */
export const programmes = pgTable(
  'programmes',
  {
    id: serial().primaryKey(),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** The source that announced the programme; null for the channel's own schedule. */
    sourceId: integer().references(() => guideSources.id, { onDelete: 'cascade' }),
    /** Public id of the programme: the source's own id, if it has one (V3-24). */
    universalId: text().notNull(),
    startsAt: moment().notNull(),
    /** Start of the next programme, or of a gap in the guide. */
    endsAt: moment().notNull(),
    /** The library title that plays. If set, its values in the catalogue have precedence. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    /** The announced titles. The values of this and the following columns apply to programmes without an asset. */
    titles: jsonb().$type<LocalisedText>().notNull(),
    subtitles: jsonb().$type<LocalisedText>().notNull().default({}),
    descriptions: jsonb().$type<LocalisedText>().notNull().default({}),
    genres: text().array().notNull().default([]),
    /** Level, 0 to 6. Programmes without a rating count as the least suitable for children. */
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
    /** Address of a picture, given by the source. It may only be fetched through the outbound check. */
    imageAddress: text(),
    /** Picture of a block of a library channel. */
    imageId: text().references(() => images.id),
    details: jsonb().$type<ProgrammeDetails>().notNull().default({}),
    /** Digest of everything that an import wrote. An import does not write a row again whose digest is the same. */
    digest: text(),
    /**
     * Equal for programmes with the same titles and the same rating. The search index identifies programmes without
     * an asset by this key.
     */
    programmeKey: text().generatedAlwaysAs(
      sql`md5(titles::text || ' ' || morality_level::text || ' ' || adult::text)`,
    ),
  },
  (table) => [
    // A channel has one programme at a time.
    uniqueIndex().on(table.channelId, table.startsAt),
    index().on(table.channelId, table.endsAt),
    // For search, which shows when a title is on.
    // The index leaves out programmes without an asset. Otherwise, when statistics say that every programme has an
    // asset, the planner would use this index to look for a programme without one, and would read all of it.
    index().on(table.assetId, table.endsAt).where(sql`asset_id is not null`),
    index('programmes_programme_key').on(table.programmeKey, table.endsAt).where(sql`asset_id is null`),
    index().on(table.imageId).where(sql`image_id is not null`),
    // For deleting past programmes.
    index().on(table.endsAt),
  ],
)

/**
 * Pictures of programmes from guides, by address. Thousands of these pictures change at a time, so they are
 * separate from the pictures of the catalogue, whose changes notify every process.
 */
export const guidePictures = pgTable(
  'guide_pictures',
  {
    address: text().primaryKey(),
    /** Id of the picture in the picture store; empty if it could not be fetched. */
    imageId: text().notNull().default(''),
    width: integer().notNull().default(0),
    height: integer().notNull().default(0),
    color: text().notNull().default(''),
    triedAt: moment().notNull(),
  },
  (table) => [index().on(table.imageId)],
)

/** Import of a guide or of a channel list: its progress and its result. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: serial().primaryKey(),
    /** Exactly one of `sourceId` and `listId` is set. */
    sourceId: integer().references(() => guideSources.id, { onDelete: 'cascade' }),
    listId: integer().references(() => channelLists.id, { onDelete: 'cascade' }),
    startedAt: moment().notNull(),
    endedAt: moment(),
    /** 0 to 100. */
    percent: real().notNull().default(0),
    /** Reason why the import failed, as text. Null while it runs, and if it succeeded. */
    failure: text(),
    counts: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** The first refused or corrected entries, with lines and reasons. */
    remarks: jsonb().$type<{ line: number; reason: string }[]>().notNull().default([]),
  },
  (table) => [index().on(table.sourceId, table.startedAt), index().on(table.listId, table.startedAt)],
)
