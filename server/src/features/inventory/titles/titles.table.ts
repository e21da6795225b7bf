import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { TrackSet } from '@ondine/media/track-set'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  real,
  serial,
  text,
} from 'drizzle-orm/pg-core'
import { bytes, createdAt, type LocalisedText, moment } from '../../../database/columns.ts'

/** Image ids of pictures with text in other languages than the library's, by three-letter language code. */
export type LocalImages = Record<string, { poster?: string; logo?: string }>

/** A picture in the image store. Its id is derived from its content. */
export const images = pgTable('images', {
  id: text().primaryKey(),
  width: integer().notNull(),
  height: integer().notNull(),
  /** Mean colour, `#rrggbb`. */
  color: text().notNull(),
  createdAt: createdAt(),
})

/** A TrackSet that ingest has published. Its files are in the segment store under its id. */
export const trackSets = pgTable('track_sets', {
  id: text().primaryKey(),
  /** The content key, 16 bytes; null for unencrypted media. */
  key: bytes(),
  document: jsonb().$type<TrackSet>().notNull(),
  /** Duration of the video, or of the audio if there is no video, in seconds. */
  durationSeconds: doublePrecision().notNull(),
  /** Whether a live input is still appending segments. Afterwards, the TrackSet never changes. */
  isGrowing: boolean().notNull().default(false),
  /**
   * When the last reference to the TrackSet was removed. The files remain for a while, for viewers who are still
   * watching.
   */
  unusedSince: moment(),
  createdAt: createdAt(),
})

export const categoryKind = pgEnum('category_kind', ['category', 'series', 'season'])

/** A node of the catalogue's tree: a category, a series or a season (V3-02 to V3-06). */
export const categories = pgTable(
  'categories',
  {
    id: serial().primaryKey(),
    kind: categoryKind().notNull(),
    /** Identifies the category in imports: `films`, `genre:Drame`, `series:Le Métier`, `series:Le Métier/1`. */
    sourceKey: text().notNull().unique(),
    parentId: integer().references((): AnyPgColumn => categories.id, { onDelete: 'cascade' }),
    /** Position among siblings. Equal positions keep the order of creation. */
    position: integer().notNull().default(0),
    names: jsonb().$type<LocalisedText>().notNull(),
    synopses: jsonb().$type<LocalisedText>().notNull().default({}),
    taglines: jsonb().$type<LocalisedText>().notNull().default({}),
    seasonNumber: integer(),
    year: integer(),
    /** Age level, 0 to 6, with the ages of `LEVEL_AGES`. */
    moralityLevel: integer().notNull().default(0),
    adult: boolean().notNull().default(false),
    /** Published score of reviews, 0 to 5. */
    score: real(),
    /** Genres, normalised by `genreKey`. */
    genres: text().array().notNull().default([]),
    directors: text().array().notNull().default([]),
    actors: text().array().notNull().default([]),
    /** Keywords, normalised by `keywordOf`. */
    tags: text().array().notNull().default([]),
    /** URL of a page about the category on another site. */
    website: text(),
    posterImage: text().references(() => images.id),
    /** Picture in portrait format without text, for the top of the title's page on a phone. */
    portraitImage: text().references(() => images.id),
    backgroundImage: text().references(() => images.id),
    logoImage: text().references(() => images.id),
    /** Language of the title on `logoImage`. */
    logoLanguage: text().$type<Language>().notNull().default(DEFAULT_LANGUAGE),
    localImages: jsonb().$type<LocalImages>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.parentId),
    index('categories_names').using('gin', sql`lower_texts(${table.names})`),
  ],
)

export const assetKind = pgEnum('asset_kind', ['film', 'episode'])
export const availability = pgEnum('availability', ['preparing', 'ready', 'failed', 'withdrawn'])

/**
 * A marked section of the media on the seek bar (V3-29). `start` and `end` are seconds from the start of the
 * media.
 */
export interface Mark {
  type: 'intro' | 'credit' | 'chapter' | 'other'
  start: number
  end: number
  label: string
}

/** A film or an episode (V3-07 to V3-13). */
export const assets = pgTable(
  'assets',
  {
    id: serial().primaryKey(),
    kind: assetKind().notNull(),
    /** Identifies the asset in imports: the path of its media in the library. */
    sourceKey: text().notNull().unique(),
    titles: jsonb().$type<LocalisedText>().notNull(),
    descriptions: jsonb().$type<LocalisedText>().notNull().default({}),
    taglines: jsonb().$type<LocalisedText>().notNull().default({}),
    year: integer(),
    premiered: text(),
    studio: text(),
    durationSeconds: doublePrecision().notNull().default(0),
    moralityLevel: integer().notNull().default(0),
    adult: boolean().notNull().default(false),
    /**
     * Rating of an episode's own metadata file, also of a file that has vanished; the level is null if there never was
     * one. `moralityLevel` and `adult` are the strictest of this rating and those of the season and the series.
     */
    ownLevel: integer(),
    ownAdult: boolean().notNull().default(false),
    score: real(),
    /** Genres, normalised by `genreKey`. */
    genres: text().array().notNull().default([]),
    directors: text().array().notNull().default([]),
    actors: text().array().notNull().default([]),
    /** Keywords, normalised by `keywordOf`. */
    tags: text().array().notNull().default([]),
    /** URL of a page about the title on another site. */
    website: text(),
    /** Replaces the title in the URL of its page. */
    customSlug: text(),
    /** Start and end of a live event (V3-15). */
    startsAt: moment(),
    endsAt: moment(),
    /** Season and series of an episode. */
    seasonId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    serieId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    seasonNumber: integer(),
    episodeNumber: integer(),
    /** Number of the last episode, if the asset contains several episodes. */
    lastEpisodeNumber: integer(),
    marks: jsonb().$type<Mark[]>().notNull().default([]),
    posterImage: text().references(() => images.id),
    /** Picture in portrait format without text, for the top of the title's page on a phone. */
    portraitImage: text().references(() => images.id),
    backgroundImage: text().references(() => images.id),
    logoImage: text().references(() => images.id),
    /** Language of the title on `logoImage`. */
    logoLanguage: text().$type<Language>().notNull().default(DEFAULT_LANGUAGE),
    localImages: jsonb().$type<LocalImages>().notNull().default({}),
    thumbnailImage: text().references(() => images.id),
    availability: availability().notNull().default('preparing'),
    validFrom: moment().notNull(),
    validTo: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index().on(table.seasonId),
    index().on(table.serieId),
    index('assets_titles').using('gin', sql`lower_texts(${table.titles})`),
  ],
)

/** Categories of each asset. Episodes refer to their season by `seasonId` instead. */
export const assetCategories = pgTable(
  'asset_categories',
  {
    categoryId: integer()
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
    assetId: integer()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    position: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.categoryId, table.assetId] }), index().on(table.assetId)],
)

export const mediaKind = pgEnum('media_kind', ['main', 'trailer'])

/** A playable media of an asset, or the trailer of a series. */
export const medias = pgTable(
  'medias',
  {
    id: serial().primaryKey(),
    kind: mediaKind().notNull(),
    assetId: integer().references(() => assets.id, { onDelete: 'cascade' }),
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    trackSetId: text()
      .notNull()
      .references(() => trackSets.id),
    /** Three-letter codes, the default first. Copied from the TrackSet, so that lists need not read it. */
    audioLanguages: text().array().notNull().default([]),
    subtitleLanguages: text().array().notNull().default([]),
    /**
     * Fingerprint of the source file at its last import. A different fingerprint means that the file has changed.
     */
    fingerprint: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.assetId), index().on(table.categoryId)],
)
