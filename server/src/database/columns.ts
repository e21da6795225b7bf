import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A moment, as milliseconds since the Unix epoch; in the database a timestamp with time zone. */
export const moment = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => new Date(value).toISOString(),
  fromDriver: (value) => new Date(value).getTime(),
})

/** Bytes. */
export const bytes = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (value) => Buffer.from(value),
})

/** Text by three-letter language code: `{ "fra": "…", "eng": "…" }`. */
export type Texts = Record<string, string>

/** When the row was made. */
export const createdAt = () => timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow()

/** Words with their places, as PostgreSQL's text search compares them. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
