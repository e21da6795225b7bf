import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'

/** Id of this database. Its stores have the same id, so that no other database maintains them. */
export const installation = pgTable('installation', {
  /** Ensures a single row. */
  only: boolean().primaryKey().default(true),
  id: text().notNull(),
})

/**
 * Pictures that a row named and no longer names. Triggers write it (`forgotten.index.sql`). The sweep removes no other
 * picture.
 */
export const forgottenImages = pgTable('forgotten_images', {
  id: text().primaryKey(),
  forgottenAt: moment().notNull(),
})
