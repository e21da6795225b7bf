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
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, type Texts } from '../../database/columns.ts'
import { assets, images, trackSets } from '../catalogue/catalogue.table.ts'
import type { ScheduleCursor } from './schedule.ts'
import type { ScheduleRules } from './schedule-rules.ts'

/** A channel (V3-21, V3-22). */
export const channels = pgTable(
  'channels',
  {
    id: serial().primaryKey(),
    /** Logical channel number. */
    number: integer().notNull().unique(),
    /** Names it for imports. */
    sourceKey: text().notNull().unique(),
    names: jsonb().$type<Texts>().notNull(),
    descriptions: jsonb().$type<Texts>().notNull().default({}),
    color: text().notNull().default('#8fe9d6'),
    logoImage: text().references(() => images.id),
    /** Free to air: plays for every signed-in account. */
    free: boolean().notNull().default(false),
    tags: text().array().notNull().default([]),
    mainGenre: text().notNull().default(''),
    /** 0 to 6: ages by `LEVEL_AGES`. Programmes have their own. */
    moralityLevel: integer().notNull().default(0),
    rules: jsonb().$type<ScheduleRules>().notNull(),
    /** What every programme is shown with, chosen when the channel first goes on the air, and never changed. */
    layout: jsonb().$type<Layout>(),
    /** Where its schedule goes on. Null until something of its rules is ready. */
    cursor: jsonb().$type<ScheduleCursor>(),
    /** `cursor.endsAt`, to be found by. */
    scheduledUntil: moment(),
    /** When it first went on the air. */
    startedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.scheduledUntil)],
)

export const scheduleEntryKind = pgEnum('schedule_entry_kind', ['programme', 'filler'])

/**
 * What a library channel plays, end to end and append-only. The two sequences are prefix sums, so that a manifest's
 * numbers are a function of the row and the clock.
 */
export const scheduleEntries = pgTable(
  'schedule_entries',
  {
    channelId: integer()
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** 0, 1, 2 … without holes. */
    position: integer().notNull(),
    /** Identifies the programme in the guide. */
    id: serial().notNull().unique(),
    kind: scheduleEntryKind().notNull(),
    startsAt: moment().notNull(),
    endsAt: moment().notNull(),
    assetId: integer().references(() => assets.id, { onDelete: 'set null' }),
    /** When the next programme begins: the guide shows a programme and the filler after it as one. */
    shownUntil: moment().notNull(),
    /** As it was announced; it stays when the asset goes. */
    titles: jsonb().$type<Texts>().notNull(),
    /** Equal for equal titles: what search knows a programme by when no asset stands behind it. */
    programmeKey: text().generatedAlwaysAs(sql`md5(titles::text)`),
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
    // When a title is shown, which search asks for.
    index().on(table.assetId, table.shownUntil),
    index('schedule_entries_programme_key')
      .on(table.programmeKey, table.shownUntil)
      .where(sql`asset_id is null`),
  ],
)
