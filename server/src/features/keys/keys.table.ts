import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../database/columns.ts'

/** Secrets that sign tokens. The newest signs; all that are not past their end verify. */
export const signingKeys = pgTable('signing_keys', {
  id: text().primaryKey(),
  secret: bytes().notNull(),
  createdAt: moment().notNull(),
})
