import type { ChannelList } from '@ondine/contract/import-sources'
import { asc, countDistinct, eq, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { broadcasts, channelLists, channels } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { type ImportRun, latestRuns } from '../guide-import/import-runs.service.ts'
import {
  IMPORT_JOB,
  importKey,
  requireFetchable,
  scheduleImport,
  unscheduleImport,
} from '../guide-import/import-sources.service.ts'
import { lockGuide, removeProgrammesOfChannels } from '../guide-import/programmes.service.ts'

/** Queue of the jobs that import a channel list. */
export const IMPORT_LIST = 'channels-import'

/** Maximum number of channels that one transaction removes. */
export const MOST_GONE_CHANNELS = 200

/** A channel list: its name, its location, and default values for its channels. */
export type ListRow = ChannelList & { id: number }

type Parts = Pick<Context, 'db' | 'jobs'>

/**
 * Stores a list, or changes the list with the same name. Schedules its import by its cron expression. Omitted
 * default values keep their stored values.
 *
 * @throws ImportSourceError
 */
export async function putChannelList(parts: Parts, list: ChannelList): Promise<ListRow> {
  const { location, cron } = list
  await prepare(parts, list)
  const [row] = await parts.db
    .insert(channelLists)
    .values(list)
    .onConflictDoUpdate({
      target: channelLists.name,
      set: { location, cron, defaults: sql`${channelLists.defaults} || excluded.defaults` },
    })
    .returning()
  if (!row) throw new Error('The list was not stored.')
  return row
}

/**
 * Stores a new list.
 *
 * @returns undefined if a list with that name already exists.
 * @throws ImportSourceError
 */
export async function addChannelList(parts: Parts, list: ChannelList): Promise<ListRow | undefined> {
  if (await findChannelList(parts, list.name)) return undefined
  await prepare(parts, list)
  const [row] = await parts.db.insert(channelLists).values(list).onConflictDoNothing().returning()
  return row
}

/**
 * Replaces the settings of a list. Omitted fields are removed.
 *
 * @throws ImportSourceError
 */
export async function changeChannelList(parts: Parts, id: number, list: ChannelList): Promise<ListRow> {
  await prepare(parts, list)
  const { name: _name, ...fields } = list
  const [row] = await parts.db.update(channelLists).set(fields).where(eq(channelLists.id, id)).returning()
  if (!row) throw new Error('The list has gone.')
  return row
}

async function prepare({ jobs }: Parts, { name, location, cron }: ChannelList): Promise<void> {
  requireFetchable(location)
  await scheduleImport(jobs, IMPORT_LIST, name, cron)
}

/** Returns the number of channels of a list, and of the recorded programmes and events that would be lost with them. */
export async function countOfList(
  db: Database,
  name: string,
): Promise<{ channels: number; recorded: number; events: number }> {
  const [counts] = await db
    .select({
      channels: countDistinct(channels.id),
      recorded: countDistinct(recordedProgrammes.id),
      events: countDistinct(broadcasts.assetId),
    })
    .from(channelLists)
    .innerJoin(channels, eq(channels.listId, channelLists.id))
    .leftJoin(recordedProgrammes, eq(recordedProgrammes.channelId, channels.id))
    .leftJoin(broadcasts, eq(broadcasts.channelId, channels.id))
    .where(eq(channelLists.name, name))
  return counts ?? { channels: 0, recorded: 0, events: 0 }
}

/**
 * Deletes a list with its channels and their recordings, in slices. If the call is interrupted, the list still exists
 * with the remaining channels.
 *
 * @returns the number of deleted channels; undefined if the list does not exist.
 */
export async function removeChannelList({ db, jobs }: Parts, name: string): Promise<number | undefined> {
  const known = await findChannelList({ db }, name)
  const before = known ? await removeChannelsOf(db, known.id) : 0
  const after = await db.transaction(async (tx) => {
    const [list] = await tx
      .select({ id: channelLists.id })
      .from(channelLists)
      .where(eq(channelLists.name, name))
      .for('update')
    if (!list) return undefined
    // An import may have added channels in the meantime. Deleting them also deletes their programmes.
    await lockGuide(tx)
    const rows = await tx.delete(channels).where(eq(channels.listId, list.id)).returning({ id: channels.id })
    await tx.delete(channelLists).where(eq(channelLists.id, list.id))
    return rows.length
  })
  await unscheduleImport(jobs, IMPORT_LIST, name)
  return after === undefined ? undefined : before + after
}

async function removeChannelsOf(db: Database, listId: number): Promise<number> {
  const pace = new Pace(MOST_GONE_CHANNELS)
  for (let all = 0; ; ) {
    const rows = await db
      .select({ id: channels.id })
      .from(channels)
      .where(eq(channels.listId, listId))
      .orderBy(asc(channels.id))
      .limit(MOST_GONE_CHANNELS)
    if (rows.length === 0) return all
    const ids = rows.map(({ id }) => id)
    await removeChannels(db, ids, pace)
    all += ids.length
  }
}

/** Deletes channels with everything that refers to them, in slices. */
export async function removeChannels(
  db: Database,
  ids: number[],
  pace = new Pace(MOST_GONE_CHANNELS),
): Promise<void> {
  await removeProgrammesOfChannels(db, ids)
  await pace.over(ids, async (some) => {
    await db.transaction(async (tx) => {
      await lockGuide(tx)
      await tx.delete(channels).where(inArray(channels.id, some))
    })
  })
}

export async function findChannelList(
  { db }: Pick<Context, 'db'>,
  name: string,
): Promise<ListRow | undefined> {
  const [row] = await db.select().from(channelLists).where(eq(channelLists.name, name))
  return row
}

export async function findChannelListById(
  { db }: Pick<Context, 'db'>,
  id: number,
): Promise<ListRow | undefined> {
  const [row] = await db.select().from(channelLists).where(eq(channelLists.id, id))
  return row
}

/** Returns the settings of a list in the form that operators edit. */
export function describedList({ name, location, cron, defaults }: ListRow): ChannelList {
  return { name, location, cron, defaults }
}

/** Returns all lists by name, each with its latest import. */
export async function listChannelLists({
  db,
}: Pick<Context, 'db'>): Promise<(ListRow & { run: ImportRun | null })[]> {
  const [rows, runs] = await Promise.all([
    db.select().from(channelLists).orderBy(asc(channelLists.name)),
    latestRuns(db, 'listId'),
  ])
  return rows.map((row) => ({ ...row, run: runs.get(row.id) ?? null }))
}

/** Requests the import of a list. The import begins as soon as a worker is free. */
export async function requestListImport({ jobs }: Pick<Context, 'jobs'>, name: string): Promise<void> {
  await jobs.declare(IMPORT_LIST, IMPORT_JOB)
  await jobs.send(IMPORT_LIST, importKey(name), { name })
}
