import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'

/** People and programs that operate the service through its calls. */
export const operators = pgTable('operators', {
  id: serial().primaryKey(),
  /** Name that the history of changes shows. */
  name: text().notNull().unique(),
  /** SHA-256 of the token, in hexadecimal. The token has 256 random bits, so a slow hash is not needed. */
  tokenHash: text().notNull().unique(),
  createdAt: createdAt(),
  revokedAt: moment(),
})
