import { index, integer, jsonb, pgEnum, pgTable, real, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'

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

/** One media file on its way into the library, or there. */
export const imports = pgTable(
  'imports',
  {
    id: serial().primaryKey(),
    kind: importKind().notNull(),
    /** Absolute path of the file; the same file is one row for ever. */
    source: text().notNull().unique(),
    title: text().notNull(),
    /** Size, time and head and tail of the file as they were when it was last looked at. */
    fingerprint: text().notNull(),
    state: importState().notNull().default('waiting'),
    percent: real().notNull().default(0),
    secondsLeft: integer(),
    /** Why it failed: a code of `ingest/reasons.ts` and its particulars. */
    reason: jsonb().$type<{ code: string; detail: string }>(),
    updatedAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.state)],
)
