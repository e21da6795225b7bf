import {
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
import { createdAt, moment } from '../../../database/columns.ts'
import type { Reason } from '../../../ingest/reasons.ts'
import type { SubtitleFile, SubtitleNote } from '../../../ingest/text-renditions.ts'
import { categories, images } from '../../inventory/titles/titles.table.ts'

export const importState = pgEnum('import_state', [
  'waiting',
  'making',
  'probing',
  'encoding',
  'packaging',
  'publishing',
  'ready',
  'failed',
  'cancelled',
])
export const importKind = pgEnum('import_kind', ['film', 'episode', 'trailer', 'channel'])

/** Instructions for preparing a media file: its target, its kind and its subtitles. */
export interface MediaWork {
  /** Target of the media, by source key: an asset, or a category for the trailer of a series. */
  target: { asset: string } | { category: string }
  media: 'main' | 'trailer'
  subtitles: SubtitleFile[]
}

/** Media files that are being imported or were imported. */
export const imports = pgTable(
  'imports',
  {
    id: serial().primaryKey(),
    kind: importKind().notNull(),
    /** Absolute path of the file, which identifies the row. */
    source: text().notNull().unique(),
    /** The library of the file, see `libraryName`. */
    library: text().notNull(),
    work: jsonb().$type<MediaWork>().notNull(),
    title: text().notNull(),
    /** Fingerprint of the file and its subtitles at the last check, see `fingerprint.ts`. */
    fingerprint: text().notNull(),
    state: importState().notNull().default('waiting'),
    percent: real().notNull().default(0),
    secondsLeft: integer(),
    /** Reason for a failure, or for the wait after a failed attempt: a code of `ingest/reasons.ts`, and details. */
    reason: jsonb().$type<{ code: Reason; detail: string }>(),
    /** Subtitles that the prepared media lacks, as a whole or in part. */
    notes: jsonb().$type<SubtitleNote[]>().notNull().default([]),
    /**
     * Number of attempts since the last change of the file. Files with more attempts come later, so that a file
     * with repeated failures does not block other files.
     */
    attempts: integer().notNull().default(0),
    /** Number of attempts that ended because the store refused the media, or because the disk became full. */
    refusals: integer().notNull().default(0),
    /** Duration of the preparation, in seconds. */
    tookSeconds: real(),
    updatedAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.state), index().on(table.library)],
)

/** State of a library's pictures at the last import. The next import opens only changed pictures. */
export const libraryPictures = pgTable('library_pictures', {
  /** Absolute path of the picture. */
  path: text().primaryKey(),
  size: doublePrecision().notNull(),
  modifiedAt: moment().notNull(),
  imageId: text()
    .notNull()
    .references(() => images.id, { onDelete: 'cascade' }),
})

/** Age rating of a series or season in each library that has it. The strictest applies. */
export const categoryRatings = pgTable(
  'category_ratings',
  {
    categoryId: integer()
      .notNull()
      .references(() => categories.id, { onDelete: 'cascade' }),
    /** Name of the library, see `libraryName`. */
    library: text().notNull(),
    /** Age level, 0 to 6; null if the files of the library have no rating. */
    moralityLevel: integer(),
    adult: boolean().notNull(),
  },
  (table) => [primaryKey({ columns: [table.categoryId, table.library] })],
)
