import {
  doublePrecision,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  real,
  serial,
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import type { Reason } from '../../../ingest/reasons.ts'
import type { SubtitleFile } from '../../../ingest/text-renditions.ts'
import { images } from '../../inventory/titles/titles.table.ts'

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

/** How to prepare a media file: its target, its kind and its subtitles. */
export interface MediaWork {
  /** Target of the media: an asset or, for a series' trailer, a category, by its source key. */
  target: { asset: string } | { category: string }
  media: 'main' | 'trailer'
  subtitles: SubtitleFile[]
}

/** Media file that is being imported or was imported. */
export const imports = pgTable(
  'imports',
  {
    id: serial().primaryKey(),
    kind: importKind().notNull(),
    /** Absolute path of the file. A file always keeps the same row. */
    source: text().notNull().unique(),
    /** The library that the file belongs to, see `libraryName`. */
    library: text().notNull(),
    work: jsonb().$type<MediaWork>().notNull(),
    title: text().notNull(),
    /** Fingerprint of the file and its subtitles at the last check, see `fingerprint.ts`. */
    fingerprint: text().notNull(),
    state: importState().notNull().default('waiting'),
    percent: real().notNull().default(0),
    secondsLeft: integer(),
    /** Reason of the failure: a code of `ingest/reasons.ts`, and details. */
    reason: jsonb().$type<{ code: Reason; detail: string }>(),
    /**
     * Attempts since the file last changed. Files with more attempts are prepared later, so that a file that
     * always fails does not block the others.
     */
    attempts: integer().notNull().default(0),
    /** How many of the attempts ended because the store refused the media. */
    refusals: integer().notNull().default(0),
    /** Duration of the file's preparation, in seconds. */
    tookSeconds: real(),
    updatedAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.state), index().on(table.library)],
)

/** State of a library's pictures at the last import, so that the next import opens only changed pictures. */
export const libraryPictures = pgTable('library_pictures', {
  /** Absolute path. */
  path: text().primaryKey(),
  size: doublePrecision().notNull(),
  modifiedAt: moment().notNull(),
  imageId: text()
    .notNull()
    .references(() => images.id, { onDelete: 'cascade' }),
})
