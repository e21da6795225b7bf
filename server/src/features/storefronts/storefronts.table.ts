import { sql } from 'drizzle-orm'
import { boolean, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt } from '../../database/columns.ts'

/** A face of the service, named by its api key. */
export const storefronts = pgTable('storefronts', {
  id: serial().primaryKey(),
  apiKey: text().notNull().unique(),
  name: text().notNull(),
  /** Whether it shows the demonstration library: the progress of the library is then public. */
  demonstration: boolean().notNull().default(false),
  /** Host names, in lower case, whose pages are this storefront's. */
  hosts: text().array().notNull().default(sql`'{}'`),
  /** Networks of clients, as `address/bits`, that are led to this storefront (V7-32). */
  networks: text().array().notNull().default(sql`'{}'`),
  createdAt: createdAt(),
})
