import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { rowsOf } from '../../database/rows.ts'
import { channels } from '../channels/channels.table.ts'
import { programmes } from './guide.table.ts'
import type { GuideChannel } from './map-channels.ts'

/** All channels that a guide may be about, with what they may be known by. */
export async function findGuideChannels(db: Database): Promise<GuideChannel[]> {
  const rows = await db
    .select({
      id: channels.id,
      number: channels.number,
      names: channels.names,
      guideId: channels.guideId,
      kind: channels.kind,
      listName: sql<string | null>`${channels.source} ->> 'listName'`,
    })
    .from(channels)
    .orderBy(asc(channels.number))
  return rows.map(({ id, number, names, guideId, kind, listName }) => ({
    id,
    number,
    guideId,
    names: [...Object.values(names), ...(listName === null ? [] : [listName])],
    isLibrary: kind === 'library',
  }))
}

/** A programme as it is written. Times are milliseconds since the Unix epoch. */
export interface ProgrammeToWrite {
  startsAt: number
  endsAt: number
  universalId: string
  digest: string
  /** The columns that say what it is, as JSON with the names of the columns. */
  columns: Record<string, unknown>
}

/** What replacing a window came to. */
export interface Replaced {
  added: number
  changed: number
  unchanged: number
  removed: number
}

/** Rows in one statement. */
const BATCH = 1000

/**
 * Replaces what a channel announces from the first to the last of `wanted`. What is already there as it is to be stays untouched, and
 * what only changes keeps its identifier.
 *
 * @param wanted in order of time, one at a time.
 */
export async function replaceWindow(
  tx: Transaction,
  channelId: number,
  sourceId: number,
  wanted: readonly ProgrammeToWrite[],
): Promise<Replaced> {
  const from = wanted[0]?.startsAt ?? 0
  const to = wanted.at(-1)?.endsAt ?? 0
  // One import of a channel at a time.
  await tx.select({ id: channels.id }).from(channels).where(eq(channels.id, channelId)).for('update')
  // What began before lasts until the new guide begins.
  await tx
    .update(programmes)
    .set({ endsAt: from, digest: null })
    .where(
      and(eq(programmes.channelId, channelId), lt(programmes.startsAt, from), gt(programmes.endsAt, from)),
    )
  const there = await rowsOf<{ id: number; at: number; digest: string | null }>(
    tx,
    sql`
      select id, (extract(epoch from starts_at) * 1000)::float8 as at, digest from programmes
      where channel_id = ${channelId} and starts_at >= ${iso(from)} and starts_at < ${iso(to)}`,
  )
  const known = new Map(there.map((row) => [row.at, row]))
  const added: ProgrammeToWrite[] = []
  const changed: (ProgrammeToWrite & { id: number })[] = []
  let unchanged = 0
  for (const programme of wanted) {
    const row = known.get(programme.startsAt)
    known.delete(programme.startsAt)
    if (!row) added.push(programme)
    else if (row.digest === programme.digest) unchanged++
    else changed.push({ ...programme, id: row.id })
  }
  const gone = [...known.values()].map(({ id }) => id)
  if (gone.length > 0) await tx.delete(programmes).where(inArray(programmes.id, gone))
  for (let at = 0; at < changed.length; at += BATCH) await update(tx, sourceId, changed.slice(at, at + BATCH))
  for (let at = 0; at < added.length; at += BATCH)
    await insert(tx, channelId, sourceId, added.slice(at, at + BATCH))
  return { added: added.length, changed: changed.length, unchanged, removed: gone.length }
}

/** What of a programme comes out of `columns`, and as what. */
const COLUMNS = sql.raw(`
  titles jsonb, subtitles jsonb, descriptions jsonb, genres text[], morality_level smallint, adult boolean, year smallint,
  season_number int, episode_number int, is_new boolean, is_repeat boolean, is_live boolean, audio_languages text[],
  subtitle_languages text[], image_address text, details jsonb`)
const NAMES = `titles, subtitles, descriptions, genres, morality_level, adult, year, season_number, episode_number, is_new, is_repeat,
  is_live, audio_languages, subtitle_languages, image_address, details`

/** All rows as one parameter: the statement is the same text however many there are. */
function rowsFor(list: readonly (ProgrammeToWrite & { id?: number })[]): string {
  return JSON.stringify(
    list.map(({ id, startsAt, endsAt, universalId, digest, columns }) => ({
      id,
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
      universal_id: universalId,
      digest,
      ...columns,
    })),
  )
}

async function insert(
  tx: Transaction,
  channelId: number,
  sourceId: number,
  list: readonly ProgrammeToWrite[],
): Promise<void> {
  await tx.execute(sql`
    insert into programmes (channel_id, source_id, starts_at, ends_at, universal_id, digest, ${sql.raw(NAMES)})
    select ${channelId}::int, ${sourceId}::int, starts_at, ends_at, universal_id, digest, ${sql.raw(NAMES)}
    from jsonb_to_recordset(${rowsFor(list)}::jsonb) as given (
      starts_at timestamptz, ends_at timestamptz, universal_id text, digest text, ${COLUMNS}
    )`)
}

async function update(
  tx: Transaction,
  sourceId: number,
  list: readonly (ProgrammeToWrite & { id: number })[],
): Promise<void> {
  const assignments = NAMES.split(',').map((name) => `${name.trim()} = given.${name.trim()}`)
  await tx.execute(sql`
    update programmes set source_id = ${sourceId}::int, ends_at = given.ends_at, universal_id = given.universal_id,
      digest = given.digest, asset_id = null, ${sql.raw(assignments.join(', '))}
    from jsonb_to_recordset(${rowsFor(list)}::jsonb) as given (
      id int, ends_at timestamptz, universal_id text, digest text, ${COLUMNS}
    )
    where programmes.id = given.id`)
}

/** Forgets what ended before `before`: at most `limit`, so that the statement stays short. @returns how many went. */
export async function prunePast(db: Database, before: number, limit: number): Promise<number> {
  const old = db
    .select({ id: programmes.id })
    .from(programmes)
    .where(lt(programmes.endsAt, before))
    .limit(limit)
  const gone = await db.delete(programmes).where(inArray(programmes.id, old)).returning({ id: programmes.id })
  return gone.length
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
