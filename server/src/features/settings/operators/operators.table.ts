import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'

/** Persons and programs that may make operator calls. */
export const operators = pgTable('operators', {
  id: serial().primaryKey(),
  /** Name of the operator, shown in the history of changes. */
  name: text().notNull().unique(),
  /**
   * SHA-256 of the token, in hexadecimal digits. A slow hash is not needed, because the token has 256 random bits.
   */
  tokenHash: text().notNull().unique(),
  createdAt: createdAt(),
  revokedAt: moment(),
})
