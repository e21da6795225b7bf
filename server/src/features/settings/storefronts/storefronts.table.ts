import { sql } from 'drizzle-orm'
import { boolean, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt } from '../../../database/columns.ts'

/** Storefronts of the service, each identified by an API key. */
export const storefronts = pgTable('storefronts', {
  id: serial().primaryKey(),
  apiKey: text().notNull().unique(),
  name: text().notNull(),
  /**
   * Whether the demonstration has created the storefront. While `DEMO` is on, such a storefront shows the
   * demonstration's accounts, and everybody may see the progress of the library's import.
   */
  demonstration: boolean().notNull().default(false),
  /** Host names of the storefront, in lower case. */
  hosts: text().array().notNull().default(sql`'{}'`),
  /** Networks whose clients see this storefront, as `address/bits` or a single address (V7-32). */
  networks: text().array().notNull().default(sql`'{}'`),
  createdAt: createdAt(),
})
