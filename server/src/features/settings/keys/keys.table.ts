import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, moment } from '../../../database/columns.ts'

/**
 * Secrets of the keys that sign tokens. New tokens are signed with the newest secret that all processes have
 * loaded. All stored secrets are valid for verification (docs/decisions/0021).
 */
export const signingKeys = pgTable('signing_keys', {
  id: text().primaryKey(),
  secret: bytes().notNull(),
  createdAt: moment().notNull(),
})
