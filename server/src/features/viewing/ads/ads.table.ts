import type { InputOf } from '@ondine/contract/operation'
import type { reportAd } from '@ondine/contract/playback'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'

/** An event of an advertisement. */
export type AdEvent = InputOf<typeof reportAd>['event']

/** Addresses that are called when something happens to an advertisement. */
export type Trackers = Partial<Record<AdEvent, string[]>>

/** An advertisement in one session, with the events that were reported to the advertiser. */
export const adDeliveries = pgTable(
  'ad_deliveries',
  {
    /** Random, known to the session only. */
    id: text().primaryKey(),
    trackers: jsonb().$type<Trackers>().notNull(),
    reported: text().array().notNull().default([]),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.createdAt)],
)
