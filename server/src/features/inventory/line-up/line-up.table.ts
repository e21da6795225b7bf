import type { ChannelList } from '@ondine/contract/import-sources'
import type { Layout } from '@ondine/media/layout'
import type { Joint } from '@ondine/media/timeline'
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
import type { InputStatus } from './input-status.ts'
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
    /** Address of the logo, as the channel list gives it. The logo is fetched again only when the address changes. */
    logoAddress: text(),
    /** Free to air: plays for every signed-in account. */
    free: boolean().notNull().default(false),
    tags: text().array().notNull().default([]),
    mainGenre: text().notNull().default(''),
    /** Level, 0 to 6, with the ages of `LEVEL_AGES`. Each programme has a level of its own. */
    moralityLevel: integer().notNull().default(0),
    radio: boolean().notNull().default(false),
    /** How far viewers may go back, in seconds (V3-22); 0 means not at all, null the storefront's setting. */
    timeshiftSeconds: integer(),
    /** Id of the channel in guides: the `tvg-id` of a list, the channel id of an XMLTV file. */
    guideId: text(),
    /** The channel list (M3U) from which the channel was imported. */
    listId: integer().references(() => channelLists.id, { onDelete: 'set null' }),
    /** Source of a relay channel or a live input; null for a library channel. */
    source: jsonb().$type<StreamSource>(),
    /** Fields that an operator has set by hand, which no import changes. */
    held: jsonb().$type<Partial<ChannelFields>>().notNull().default({}),
    /** Whether the operator has switched the channel on. */
    enabled: boolean().notNull().default(true),
    /** When the channel disappeared from its channel list; null while the list contains it. */
    goneSince: moment(),
    /** Whether viewers see the channel. */
    shown: boolean().generatedAlwaysAs(sql`enabled and gone_since is null`),
    /** Rules of the schedule; null unless the channel is a library channel. */
    rules: jsonb().$type<ScheduleRules>(),
    /**
     * Renditions with which all programmes of the channel are presented. They are chosen when the channel first
     * goes on air, and never change.
     */
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
 * The media that a library channel plays, one after the other. Entries are only appended. The programmes that the
 * guide announces are in `programmes`. `mediaSequence` and `discontinuitySequence` count everything that the
 * channel played before an entry. So the sequence numbers of a manifest are a function of the row and the clock.
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
    /** `moralityLevel` and `adult` of the title, copied when the title was deleted. Null while the title exists. */
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

/** Address of an input that receives the source of its channel, which imports of a channel list may change. */
export const CHANNEL_SOURCE = 'channel:'

/** The signal that a live channel receives. */
export const liveInputs = pgTable('live_inputs', {
  id: serial().primaryKey(),
  channelId: integer()
    .notNull()
    .unique()
    .references(() => channels.id, { onDelete: 'cascade' }),
  /** See `readSource` of ingest. It may contain secrets. {@link CHANNEL_SOURCE} stands for the channel's source. */
  address: text().notNull(),
  /** Takes over while the address is silent. */
  spareAddress: text(),
  createdAt: createdAt(),
})

/**
 * The process that receives an input, with its reports. They are not in `live_inputs`, because every process is
 * notified of each change there.
 */
export const liveReceivers = pgTable('live_receivers', {
  inputId: integer()
    .primaryKey()
    .references(() => liveInputs.id, { onDelete: 'cascade' }),
  /** Id of the process among those that are connected to the database. */
  holder: text().notNull(),
  /** Another process may receive the input after this time (database's clock), or once the holder has disconnected. */
  heldUntil: moment().notNull(),
  status: jsonb().$type<InputStatus>(),
})

/**
 * The TrackSets of live inputs, end to end and append-only (docs/decisions/0077). The counts are prefix sums,
 * as in `schedule_entries`.
 */
export const liveSets = pgTable(
  'live_sets',
  {
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** 0, 1, 2 … without gaps. */
    position: integer().notNull(),
    trackSetId: text()
      .notNull()
      .unique()
      .references(() => trackSets.id),
    startsAt: moment().notNull(),
    /** Null while the TrackSet grows. */
    endsAt: moment(),
    joint: text().$type<Joint>().notNull(),
    /** Whether it is the slate, the picture that replaces a silent input. */
    isSlate: boolean().notNull().default(false),
    /**
     * Rating by the guide when the TrackSet ended, for the time after the guide has forgotten its programmes. Null
     * while it grows.
     */
    moralityLevel: smallint(),
    adult: boolean(),
    /** Whether the guide forbade recording it when the TrackSet ended. False while it grows. */
    isRecordingForbidden: boolean().notNull().default(false),
    mediaSequence: bigint({ mode: 'number' }).notNull(),
    discontinuitySequence: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.position] }),
    index().on(table.channelId, table.endsAt),
    index().on(table.endsAt),
  ],
)
