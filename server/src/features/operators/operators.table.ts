import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'

/** The people and programs that run the service over its calls. */
export const operators = pgTable('operators', {
  id: serial().primaryKey(),
  /** Stands in the history of what they change. */
  name: text().notNull().unique(),
  /** SHA-256 of the token, in hexadecimal. The token has 256 random bits, so that a slow hash would add nothing. */
  tokenHash: text().notNull().unique(),
  createdAt: createdAt(),
  revokedAt: moment(),
})
