import type { InputOf } from '@ondine/contract/operation'
import type { LiveAd, reportAd } from '@ondine/contract/playback'
import type { BreakNumbers } from '@ondine/media/replaced-breaks'
import type { MarkedBreak } from '@ondine/media/splice'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import type { AdsMacro } from './ad-macros.ts'

/** An event of an advertisement. `progress` has the moment in seconds. */
export type AdEvent = Exclude<InputOf<typeof reportAd>['event'], 'progress'> | `progress-${number}`

/** Addresses of trackers, by the event that is reported to them. */
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

/** A session of a live channel that gets advertisements. */
export const adSessions = pgTable(
  'ad_sessions',
  {
    /** Id of the playback session. */
    id: text().primaryKey(),
    storefrontId: integer().notNull(),
    /** Data about the client that may be sent to ad servers. */
    macros: jsonb().$type<AdsMacro>().notNull(),
    /**
     * Breaks that begin before this time are not filled. Null until the player requests the first manifest, because
     * players start sessions of neighbour channels ahead of time, and may play them minutes later.
     */
    adsFrom: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.createdAt)],
)

/** A break of a live channel as one session shows it. */
export interface AiredBreak {
  marked: MarkedBreak
  /** When the first advertisement begins, in milliseconds since the Unix epoch. */
  startsAt: number
  /** Empty if the session shows the channel's own media in this break. */
  ads: AiredAd[]
}

/** An advertisement in a live channel. */
export interface AiredAd extends LiveAd {
  trackSetId: string
}

/** The breaks of a session. A session shows the same advertisements each time it requests a break. */
export const adBreaks = pgTable(
  'ad_breaks',
  {
    sessionId: text().notNull(),
    /** When the broadcaster's break begins. */
    markedAt: moment().notNull(),
    aired: jsonb().$type<AiredBreak>().notNull(),
    /** Sequence numbers of the session at the beginning of the break, and after the break. */
    numbers: jsonb().$type<BreakNumbers>().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.markedAt] }), index().on(table.createdAt)],
)
