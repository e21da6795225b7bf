import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../database/columns.ts'
import { storefronts } from '../storefronts/storefronts.table.ts'

/** Which revision of a document counts. One row changes, so that of two who change it at once only one can. */
export const documents = pgTable(
  'documents',
  {
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id, { onDelete: 'cascade' }),
    /** `configuration` and its like. */
    name: text().notNull(),
    revision: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.storefrontId, table.name] })],
)

/** Every revision that a document ever had. Rows are added, never changed. */
export const documentRevisions = pgTable(
  'document_revisions',
  {
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** From 1 on, without gaps. */
    revision: integer().notNull(),
    document: jsonb().$type<unknown>().notNull(),
    /** Who made it. */
    author: text().notNull(),
    reason: text().notNull(),
    /** The revision that this one is a return to. */
    restores: integer(),
    madeAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.storefrontId, table.name, table.revision] })],
)
