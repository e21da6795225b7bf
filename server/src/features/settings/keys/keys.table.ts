import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../../database/columns.ts'

/**
 * Secrets that sign tokens. The newest secret that every process knows signs. All stored secrets verify
 * (docs/decisions/0021).
 */
export const signingKeys = pgTable('signing_keys', {
  id: text().primaryKey(),
  secret: bytes().notNull(),
  createdAt: moment().notNull(),
})
