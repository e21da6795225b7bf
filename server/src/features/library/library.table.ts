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
import { createdAt, moment } from '../../database/columns.ts'
import type { Reason } from '../../ingest/reasons.ts'
import type { SubtitleFile } from '../../ingest/text-renditions.ts'
import { images } from '../catalogue/catalogue.table.ts'

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

/** What is to be made of a media file. */
export interface MediaWork {
  /** What gets the media: an asset or, for a series' trailer, a category, by its source key. */
  target: { asset: string } | { category: string }
  media: 'main' | 'trailer'
  subtitles: SubtitleFile[]
}

/** One media file on its way into the library, or there. */
export const imports = pgTable(
  'imports',
  {
    id: serial().primaryKey(),
    kind: importKind().notNull(),
    /** Absolute path of the file; the same file is one row for ever. */
    source: text().notNull().unique(),
    /** The library that the file belongs to, see `libraryName`. */
    library: text().notNull(),
    work: jsonb().$type<MediaWork>().notNull(),
    title: text().notNull(),
    /** Size, time and head and tail of the file as they were when it was last looked at. */
    fingerprint: text().notNull(),
    state: importState().notNull().default('waiting'),
    percent: real().notNull().default(0),
    secondsLeft: integer(),
    /** Why it failed: a code of `ingest/reasons.ts` and its particulars. */
    reason: jsonb().$type<{ code: Reason; detail: string }>(),
    /** Times that it was begun since it last changed: what never comes to an end moves behind the others. */
    attempts: integer().notNull().default(0),
    /** How long its preparation took, in seconds. */
    tookSeconds: real(),
    updatedAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.state), index().on(table.library)],
)

/** Pictures of a library as they were when they were last looked at, so that an import opens only what changed. */
export const libraryPictures = pgTable('library_pictures', {
  /** Absolute. */
  path: text().primaryKey(),
  size: doublePrecision().notNull(),
  modifiedAt: moment().notNull(),
  imageId: text()
    .notNull()
    .references(() => images.id, { onDelete: 'cascade' }),
})
