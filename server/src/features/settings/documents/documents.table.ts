import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { storefronts } from '../storefronts/storefronts.table.ts'

/**
 * Number of the current revision of each document. A change updates this row, so that only one of two concurrent
 * changes succeeds.
 */
export const documents = pgTable(
  'documents',
  {
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id, { onDelete: 'cascade' }),
    /** Name of the document, such as `configuration`. */
    name: text().notNull(),
    revision: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.storefrontId, table.name] })],
)

/** All revisions of all documents. Rows are only added. */
export const documentRevisions = pgTable(
  'document_revisions',
  {
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** Number of the revision, from 1, without gaps. */
    revision: integer().notNull(),
    document: jsonb().$type<unknown>().notNull(),
    /** Author of the change. */
    author: text().notNull(),
    reason: text().notNull(),
    /** The earlier revision that this revision restores; null for an ordinary change. */
    restores: integer(),
    /** Whether an undo made this revision, so that the next undo goes on before the revision that it restores. */
    isUndo: boolean().notNull().default(false),
    madeAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.storefrontId, table.name, table.revision] })],
)
