import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'

/**
 * Id of this database. The stores that belong to this database contain the same id, so that no other database
 * removes their entries.
 */
export const installation = pgTable('installation', {
  /** Ensures a single row. */
  only: boolean().primaryKey().default(true),
  id: text().notNull(),
})

/**
 * Pictures to which no row of the database refers any more, with the time of the last reference. Triggers write
 * this table (`forgotten.index.sql`). The sweep of the picture store deletes only pictures in this table.
 */
export const forgottenImages = pgTable('forgotten_images', {
  id: text().primaryKey(),
  forgottenAt: moment().notNull(),
})
