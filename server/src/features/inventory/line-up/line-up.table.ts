import type { ChannelList } from '@ondine/contract/import-sources'
import type { Layout } from '@ondine/media/layout'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  smallint,
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, type LocalisedText, moment } from '../../../database/columns.ts'
import { assets, images, trackSets } from '../titles/titles.table.ts'
import type { ChannelFields } from './channel-fields.ts'
import type { ScheduleCursor } from './schedule-cursor.ts'
import type { ScheduleRules } from './schedule-rules.service.ts'
import type { StreamSource } from './stream-source.ts'

/** Channel list (M3U) that is imported repeatedly. */
export const channelLists = pgTable('channel_lists', {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  /** An http or https address, or the absolute path of a file. */
  location: text().notNull(),
  /** Schedule of its imports, in UTC; null if the list is imported on request only. */
  cron: text(),
  /** Initial values for channels that are new in the list. */
  defaults: jsonb().$type<ChannelList['defaults']>().notNull().default({}),
  createdAt: createdAt(),
})

/**
 * Kinds of channels: `library` plays titles of the library, `relay` a stream at another provider's address,
 * `live` an input that a worker receives.
 */
export const channelKind = pgEnum('channel_kind', ['library', 'relay', 'live'])

/** A channel (V3-21, V3-22). */
export const channels = pgTable(
  'channels',
  {
    id: serial().primaryKey(),
    kind: channelKind().notNull().default('library'),
    /** Logical channel number. */
    number: integer().notNull().unique(),
    /** Identifies the channel to imports. */
    sourceKey: text().notNull().unique(),
    names: jsonb().$type<LocalisedText>().notNull(),
    descriptions: jsonb().$type<LocalisedText>().notNull().default({}),
    color: text().notNull().default('#8fe9d6'),
    logoImage: text().references(() => images.id),
    /** Address of the logo, from the list. The logo is fetched again only when the address changes. */
    logoAddress: text(),
    /** Free to air: plays for every signed-in account. */
    free: boolean().notNull().default(false),
    tags: text().array().notNull().default([]),
    mainGenre: text().notNull().default(''),
    /** 0 to 6: ages by `LEVEL_AGES`. Programmes have levels of their own. */
    moralityLevel: integer().notNull().default(0),
    radio: boolean().notNull().default(false),
    /** How far viewers may go back, in seconds (V3-22); 0 means not at all, null the storefront's setting. */
    timeshiftSeconds: integer(),
    /** Id of the channel in guides: the `tvg-id` of a list, the channel id of an XMLTV file. */
    guideId: text(),
    /** The list that the channel belongs to. */
    listId: integer().references(() => channelLists.id, { onDelete: 'set null' }),
    /** Source of a relay channel or a live input; null for a library channel. */
    source: jsonb().$type<StreamSource>(),
    /** Fields that an operator has set by hand, which no import changes. */
    held: jsonb().$type<Partial<ChannelFields>>().notNull().default({}),
    /** Whether the operator has switched the channel on. */
    enabled: boolean().notNull().default(true),
    /** When the channel disappeared from its list; null while the list contains it. */
    goneSince: moment(),
    /** Whether viewers see the channel. */
    shown: boolean().generatedAlwaysAs(sql`enabled and gone_since is null`),
    /** Null unless the channel is a library channel. */
    rules: jsonb().$type<ScheduleRules>(),
    /** Layout of all its programmes, chosen when the channel first goes on air, and never changed. */
    layout: jsonb().$type<Layout>(),
    /** Where the schedule continues. Null until a title of the channel's rules is ready. */
    cursor: jsonb().$type<ScheduleCursor>(),
    /** Copy of `cursor.endsAt`, for searching. */
    scheduledUntil: moment(),
    /** When the channel first went on air. */
    startedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.scheduledUntil), index().on(table.guideId)],
)

export const scheduleEntryKind = pgEnum('schedule_entry_kind', ['programme', 'filler'])

/**
 * The media that a library channel plays, end to end and append-only. The programmes that it announces are in
 * `programmes`. The two sequences are prefix sums, so that a manifest's numbers are a function of the row and
 * the clock.
 */
export const scheduleEntries = pgTable(
  'schedule_entries',
  {
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** 0, 1, 2 … without gaps. */
    position: integer().notNull(),
    kind: scheduleEntryKind().notNull(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    /** Rating of the title when it was deleted; null while the title exists. */
    moralityLevel: smallint(),
    adult: boolean(),
    trackSetId: text()
      .notNull()
      .references(() => trackSets.id),
    /** Counted from 0. */
    firstSegment: integer().notNull(),
    segmentCount: integer().notNull(),
    /** Segments published before this entry. */
    mediaSequence: bigint({ mode: 'number' }).notNull(),
    /** Entries before this one. */
    discontinuitySequence: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.position] }),
    index().on(table.channelId, table.endsAt),
    index().on(table.endsAt),
  ],
)
