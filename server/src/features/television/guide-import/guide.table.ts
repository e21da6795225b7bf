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
  /** Http or https address, or absolute path of a file. */
  location: text().notNull(),
  /** IANA name of the time zone for times without a zone. */
  timeZone: text().notNull().default('UTC'),
  /** Cron expression for imports, in UTC; null if the guide is only imported on request. */
  cron: text(),
  /** Three-letter language code for texts without a language. */
  language: text().notNull().default('fra'),
  /** Age level of programmes without a known rating, 0 to 6. */
  unratedLevel: smallint().notNull().default(6),
  /**
   * Maps channel ids in the file to channels of the service. A value is the guide id, the name or the number of a
   * channel.
   */
  mapping: jsonb().$type<Record<string, string>>().notNull().default({}),
  /**
   * Precedence among the sources of a channel. A source fills only the gaps of sources with a higher priority.
   * Among sources with the same priority, the last import has precedence.
   */
  priority: smallint().notNull().default(50),
  createdAt: createdAt(),
})

/**
 * Maximum duration of a programme, in milliseconds: 25 hours, the longest day. With this limit, a query for a
 * window can give `ends_at` both a lower and an upper bound, and so use an index.
 */
export const LONGEST_PROGRAMME_MS = 25 * 3600_000

/**
 * The guide: programmes of all kinds of channels, in one table so that one query reads them all (V3-24). For a
 * library channel, its schedule writes the programmes. For other channels, imports of guides write them.
 */
export const programmes = pgTable(
  'programmes',
  {
    id: serial().primaryKey(),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** The source from which the programme was imported; null if the schedule of a library channel wrote it. */
    sourceId: integer().references(() => guideSources.id, { onDelete: 'cascade' }),
    /** Public id of the programme: the source's own id, if it has one (V3-24). */
    universalId: text().notNull(),
    startsAt: moment().notNull(),
    /** End of the programme: the start of the next one, or of a gap in the guide. */
    endsAt: moment().notNull(),
    /** The library title of the programme. If set, the details come from the catalogue. */
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    /** Titles from the guide. Viewers see these titles and the following details only if `assetId` is null. */
    titles: jsonb().$type<LocalisedText>().notNull(),
    subtitles: jsonb().$type<LocalisedText>().notNull().default({}),
    descriptions: jsonb().$type<LocalisedText>().notNull().default({}),
    genres: text().array().notNull().default([]),
    /** Age level, 0 to 6. Programmes without a rating get the highest level. */
    moralityLevel: smallint().notNull().default(6),
    adult: boolean().notNull().default(false),
    year: smallint(),
    seasonNumber: integer(),
    episodeNumber: integer(),
    isNew: boolean().notNull().default(false),
    isRepeat: boolean().notNull().default(false),
    isLive: boolean().notNull().default(false),
    /** Three-letter language codes. */
    audioLanguages: text().array().notNull().default([]),
    subtitleLanguages: text().array().notNull().default([]),
    /** Address of a picture that the source names. Fetch it only through the outbound check. */
    imageAddress: text(),
    /** Picture of a block of a library channel. */
    imageId: text().references(() => images.id),
    details: jsonb().$type<ProgrammeDetails>().notNull().default({}),
    /** Digest of all values that an import wrote. Imports skip a row if the digest is unchanged. */
    digest: text(),
    /**
     * Equal for programmes with the same titles and the same rating. Identifies programmes without `assetId` in
     * the search index.
     */
    programmeKey: text().generatedAlwaysAs(
      sql`md5(titles::text || ' ' || morality_level::text || ' ' || adult::text)`,
    ),
  },
  (table) => [
    // A channel has only one programme at a time.
    uniqueIndex().on(table.channelId, table.startsAt),
    index().on(table.channelId, table.endsAt),
    // For search, which shows when a title is on air. The index excludes programmes without an asset. If it included
    // them, the planner could use this index to find programmes without an asset, when statistics say that there are
    // none. The query would then read the whole index.
    index().on(table.assetId, table.endsAt).where(sql`asset_id is not null`),
    index('programmes_programme_key').on(table.programmeKey, table.endsAt).where(sql`asset_id is null`),
    // For recordings of series, which find a programme by its title in any language.
    index('programmes_titles')
      .using('gin', table.titles.op('jsonb_path_ops'))
      .with({ fastupdate: false })
      .where(sql`asset_id is null`),
    index().on(table.imageId).where(sql`image_id is not null`),
    // For the deletion of past programmes.
    index().on(table.endsAt),
  ],
)

/**
 * Pictures of programmes from guides, by address. Thousands of these pictures change at a time. They are kept
 * apart from the pictures of the catalogue, because each change there notifies every process.
 */
export const guidePictures = pgTable(
  'guide_pictures',
  {
    address: text().primaryKey(),
    /** Id of the picture in the picture store; empty if the picture could not be fetched. */
    imageId: text().notNull().default(''),
    width: integer().notNull().default(0),
    height: integer().notNull().default(0),
    color: text().notNull().default(''),
    triedAt: moment().notNull(),
  },
  (table) => [index().on(table.imageId)],
)

/** Imports of guides and channel lists, with their progress and their results. */
export const importRuns = pgTable(
  'import_runs',
  {
    id: serial().primaryKey(),
    /** Exactly one of `sourceId` and `listId` is set. */
    sourceId: integer().references(() => guideSources.id, { onDelete: 'cascade' }),
    listId: integer().references(() => channelLists.id, { onDelete: 'cascade' }),
    startedAt: moment().notNull(),
    endedAt: moment(),
    /** Progress in percent, 0 to 100. */
    percent: real().notNull().default(0),
    /** Reason why the import failed, as text. Null while the import runs, and if it has succeeded. */
    failure: text(),
    counts: jsonb().$type<Record<string, number>>().notNull().default({}),
    /** The first rejected or corrected entries, with line numbers and reasons. */
    remarks: jsonb().$type<{ line: number; reason: string }[]>().notNull().default([]),
  },
  (table) => [index().on(table.sourceId, table.startedAt), index().on(table.listId, table.startedAt)],
)
