import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A time in milliseconds since the Unix epoch. The database stores it as a timestamp with time zone. */
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

/** A text in several languages, by three-letter code: `{ "fra": "…", "eng": "…" }`. */
export type LocalisedText = Record<string, string>

/** When the row was created. */
export const createdAt = () => timestamp({ withTimezone: true, precision: 3 }).notNull().defaultNow()

/** Words with their positions, for PostgreSQL's text search. */
export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
