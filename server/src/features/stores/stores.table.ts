import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../database/columns.ts'

/** Names this database. Its stores carry the same name, so that no other database tidies them up. */
export const installation = pgTable('installation', {
  /** There is one row. */
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
