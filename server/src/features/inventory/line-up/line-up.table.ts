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

/** A channel list (M3U) that the service imports repeatedly. */
export const channelLists = pgTable('channel_lists', {
  id: serial().primaryKey(),
  name: text().notNull().unique(),
  /** An http or https address, or the absolute path of a file. */
  location: text().notNull(),
  /** Cron schedule of the imports, in UTC; null if the list is imported only on request. */
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
    /** Identifies the channel in imports. */
    sourceKey: text().notNull().unique(),
    names: jsonb().$type<LocalisedText>().notNull(),
    descriptions: jsonb().$type<LocalisedText>().notNull().default({}),
    color: text().notNull().default('#8fe9d6'),
    logoImage: text().references(() => images.id),
    /** URL of the logo in the channel list. The logo is downloaded again only if this URL changes. */
    logoAddress: text(),
    /** Free to air: every signed-in account can play the channel. */
    free: boolean().notNull().default(false),
    tags: text().array().notNull().default([]),
    mainGenre: text().notNull().default(''),
    /** Age level, 0 to 6, with the ages of `LEVEL_AGES`. Programmes have their own levels. */
    moralityLevel: integer().notNull().default(0),
    radio: boolean().notNull().default(false),
    /**
     * Length of the time-shift window, in seconds (V3-22); 0 for no time-shift, null for the storefront's setting.
     */
    timeshiftSeconds: integer(),
    /** Id of the channel in guides: the `tvg-id` of a list, the channel id of an XMLTV file. */
    guideId: text(),
    /** The channel list (M3U) from which the channel was imported. */
    listId: integer().references(() => channelLists.id, { onDelete: 'set null' }),
    /** Source of a relay channel or a live input; null for a library channel. */
    source: jsonb().$type<StreamSource>(),
    /** Fields that an operator has set. Imports do not change these fields. */
    held: jsonb().$type<Partial<ChannelFields>>().notNull().default({}),
    /** Whether the operator has enabled the channel. */
    enabled: boolean().notNull().default(true),
    /** When the channel disappeared from its channel list; null while the list contains it. */
    goneSince: moment(),
    /** Whether viewers see the channel. */
    shown: boolean().generatedAlwaysAs(sql`enabled and gone_since is null`),
    /** Rules of the schedule; null unless the channel is a library channel. */
    rules: jsonb().$type<ScheduleRules>(),
    /**
     * The tracks that the channel offers. Chosen when the channel first goes on air. It grows when the source of a live
     * channel has more tracks (0081), or when titles of a library channel become ready (0109).
     */
    layout: jsonb().$type<Layout>(),
    /** Position from which scheduling continues. Null until a title of the channel's rules is ready. */
    cursor: jsonb().$type<ScheduleCursor>(),
    /** Copy of `cursor.endsAt`, for database queries. */
    scheduledUntil: moment(),
    /** When the channel first went on air. */
    startedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.scheduledUntil), index().on(table.guideId)],
)

export const scheduleEntryKind = pgEnum('schedule_entry_kind', ['programme', 'filler'])

/**
 * The media of a library channel, in order of playback. Entries are only appended. The announced programmes of the
 * guide are in `programmes`. `mediaSequence` and `discontinuitySequence` count all media before the entry, so that
 * a manifest's sequence numbers are a function of the row and the clock.
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
    /** `moralityLevel` and `adult` of a deleted title, copied at its deletion. Null while the title exists. */
    moralityLevel: smallint(),
    adult: boolean(),
    trackSetId: text()
      .notNull()
      .references(() => trackSets.id),
    /** The first segment of the TrackSet in this entry, counted from 0. */
    firstSegment: integer().notNull(),
    segmentCount: integer().notNull(),
    /** Number of segments before this entry. */
    mediaSequence: bigint({ mode: 'number' }).notNull(),
    /** Number of entries before this one. */
    discontinuitySequence: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channelId, table.position] }),
    index().on(table.channelId, table.endsAt),
    index().on(table.endsAt),
  ],
)

/**
 * The live events that channels carry: the interval of the event on the channel is the media of its title. A title that
 * has a film is no broadcast any more.
 */
export const broadcasts = pgTable(
  'broadcasts',
  {
    assetId: integer()
      .primaryKey()
      .references(() => assets.id, { onDelete: 'cascade' }),
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
  },
  (table) => [index().on(table.channelId)],
)

/**
 * Value of `liveInputs.address` for an input whose address is in `channels.source`. Imports of a channel list can
 * change the address there.
 */
export const CHANNEL_SOURCE = 'channel:'

/** The signal that a live channel receives. */
export const liveInputs = pgTable('live_inputs', {
  id: serial().primaryKey(),
  channelId: integer()
    .notNull()
    .unique()
    .references(() => channels.id, { onDelete: 'cascade' }),
  /**
   * The address of the input, see `readSource` of ingest. Can contain secrets. The value {@link CHANNEL_SOURCE}
   * stands for the address in `channels.source`.
   */
  address: text().notNull(),
  /** Second address, which takes over while the first is silent. */
  spareAddress: text(),
  /** Heights of the picture's renditions, highest first; null for one rendition of any size (docs/decisions/0117). */
  ladder: integer().array(),
  createdAt: createdAt(),
})

/**
 * The process that receives an input, with its reports. This table is separate from `live_inputs`, because each
 * change there sends a notice to every process.
 */
export const liveReceivers = pgTable('live_receivers', {
  inputId: integer()
    .primaryKey()
    .references(() => liveInputs.id, { onDelete: 'cascade' }),
  /** Id of the process, among the processes that are connected to the database. */
  holder: text().notNull(),
  /**
   * Another process may take over the input after this time (database's clock), or once the holder has
   * disconnected.
   */
  heldUntil: moment().notNull(),
  status: jsonb().$type<InputStatus>(),
})

/**
 * The TrackSets of live inputs, without gaps in time. Rows are only appended (docs/decisions/0077). As in
 * `schedule_entries`, `mediaSequence` and `discontinuitySequence` count all media before the row.
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
    /** End of the TrackSet; null while it is growing. */
    endsAt: moment(),
    joint: text().$type<Joint>().notNull(),
    /** Whether the TrackSet is the slate, the picture that replaces a silent input. */
    isSlate: boolean().notNull().default(false),
    /**
     * Level by the guide when the TrackSet ended. Needed later, because the guide deletes past programmes. Null
     * while the TrackSet is growing.
     */
    moralityLevel: smallint(),
    adult: boolean(),
    /**
     * Whether the guide forbade recording this time when the TrackSet ended. False while the TrackSet is growing.
     */
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
