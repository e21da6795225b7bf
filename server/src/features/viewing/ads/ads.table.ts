import type { InputOf } from '@ondine/contract/operation'
import type { LiveAd, reportAd } from '@ondine/contract/playback'
import type { BreakNumbers } from '@ondine/media/replaced-breaks'
import type { MarkedBreak } from '@ondine/media/splice'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import type { AdsMacro } from './ad-macros.ts'

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

/** A session of a live channel that gets advertisements. */
export const adSessions = pgTable(
  'ad_sessions',
  {
    /** Id of the playback session. */
    id: text().primaryKey(),
    storefrontId: integer().notNull(),
    /** What the client allows to be sent to ad servers. */
    macros: jsonb().$type<AdsMacro>().notNull(),
    /**
     * Breaks that begin earlier stay. Null until the first manifest is requested: players request the sessions of
     * neighbour channels ahead of time, and may play them minutes later.
     */
    adsFrom: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.createdAt)],
)

/** A break of a live channel as a session shows it. */
export interface AiredBreak {
  marked: MarkedBreak
  /** When the first advertisement begins, in milliseconds since the Unix epoch. */
  startsAt: number
  /** Empty if the channel's own media plays. */
  ads: AiredAd[]
}

/** An advertisement in a live channel. */
export interface AiredAd extends LiveAd {
  trackSetId: string
}

/** The breaks of a session. What a session shows in a break never changes. */
export const adBreaks = pgTable(
  'ad_breaks',
  {
    sessionId: text().notNull(),
    /** When the broadcaster's break begins. */
    markedAt: moment().notNull(),
    aired: jsonb().$type<AiredBreak>().notNull(),
    /** Numbers of the session's segments. */
    numbers: jsonb().$type<BreakNumbers>().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.markedAt] }), index().on(table.createdAt)],
)
