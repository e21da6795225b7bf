import { hash } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { rowsOf } from '../../database/rows.ts'
import { channels } from '../channels/channels.table.ts'
import { fitBetween } from './fit-between.ts'
import { programmes } from './guide.table.ts'
import { lockGuide } from './guide-lock.ts'

/** A programme as it is to stand in the guide. Times are milliseconds since the Unix epoch. */
export interface ProgrammeToWrite {
  startsAt: number
  endsAt: number
  /** The source's own id of it. */
  universalId: string | null
  /** The columns that say what it is, as JSON with the names of the columns. */
  columns: string
}

/** Whose guide is written: of several sources of a channel, the one of the highest priority counts. */
export interface GuideOwner {
  id: number
  priority: number
}

/** What replacing a window came to. */
export interface Replaced {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** Programmes in whose place a source of higher priority has announced something. */
  outranked: number
}

/** Rows in one statement: few enough that their text, which is copied a few times on its way, does not pile up. */
const BATCH = 250

interface Row {
  id: number
  startsAt: number
  endsAt: number
  digest: string | null
  sourceId: number | null
  priority: number | null
}

type Change = Placed & { id: number }
type Placed = ProgrammeToWrite & { digest: string }

/**
 * Replaces what a channel announces from the first to the last of `wanted`. What is already there as it is to be stays untouched, and
 * what only changes keeps its identifier. What a source of higher priority has announced stands, and `wanted` fills the gaps between;
 * what one of lower priority has announced stands in the gaps of `wanted`.
 *
 * @param wanted in order of time, one at a time.
 */
export async function replaceWindow(
  tx: Transaction,
  channelId: number,
  owner: GuideOwner,
  wanted: readonly ProgrammeToWrite[],
): Promise<Replaced> {
  const from = wanted[0]?.startsAt ?? 0
  const to = wanted.at(-1)?.endsAt ?? 0
  await lockGuide(tx)
  // Rows are looked up, never searched for through the whole guide: while nobody has counted what was just imported, and in the embedded
  // database nobody does, that would be done for each channel anew.
  await tx.execute(sql`set local enable_seqscan = off`)
  // The channel stays as it is meanwhile.
  await tx.select({ id: channels.id }).from(channels).where(eq(channels.id, channelId)).for('update')
  const there = await rowsOf<Row>(
    tx,
    sql`
      select p.id, (extract(epoch from p.starts_at) * 1000)::float8 as "startsAt", (extract(epoch from p.ends_at) * 1000)::float8 as "endsAt",
        p.digest, p.source_id as "sourceId", s.priority
      from programmes p left join guide_sources s on s.id = p.source_id
      where p.channel_id = ${channelId} and p.ends_at > ${iso(from)} and p.starts_at < ${iso(to)}
      order by p.starts_at`,
  )
  const above = there.filter((row) => isOther(row, owner) && (row.priority ?? -1) > owner.priority)
  const fitted = above.length === 0 ? wanted : fitBetween(wanted, above)
  const known = new Map(there.filter((row) => !above.includes(row)).map((row) => [row.startsAt, row]))
  const added: Placed[] = []
  const changed: Change[] = []
  let unchanged = 0
  for (const programme of fitted) {
    const row = known.get(programme.startsAt)
    known.delete(programme.startsAt)
    const placed = { ...programme, digest: digestOf(programme) }
    if (!row) added.push(placed)
    else if (row.digest === placed.digest && !isOther(row, owner)) unchanged++
    else changed.push({ ...placed, id: row.id })
  }
  const gone: number[] = []
  const cut: { id: number; endsAt: number }[] = []
  for (const row of known.values()) {
    const isBelow = isOther(row, owner) && row.priority !== null && row.priority < owner.priority
    const next = isBelow
      ? fitted.find(({ startsAt, endsAt }) => startsAt < row.endsAt && endsAt > row.startsAt)?.startsAt
      : from
    if (next === undefined) continue
    // What began before lasts until the new guide begins.
    if (row.startsAt < next) cut.push({ id: row.id, endsAt: next })
    else gone.push(row.id)
  }
  if (gone.length > 0) await tx.delete(programmes).where(inArray(programmes.id, gone))
  for (const { id, endsAt } of cut)
    await tx.update(programmes).set({ endsAt, digest: null }).where(eq(programmes.id, id))
  for (let at = 0; at < changed.length; at += BATCH)
    await update(tx, channelId, owner.id, changed.slice(at, at + BATCH))
  for (let at = 0; at < added.length; at += BATCH)
    await insert(tx, channelId, owner.id, added.slice(at, at + BATCH))
  return {
    added: added.length,
    changed: changed.length,
    unchanged,
    removed: gone.length,
    outranked: wanted.length - fitted.length,
  }
}

/** What of a programme comes out of `columns`, and as what. */
const COLUMNS = sql.raw(`
  titles jsonb, subtitles jsonb, descriptions jsonb, genres text[], morality_level smallint, adult boolean, year smallint,
  season_number int, episode_number int, is_new boolean, is_repeat boolean, is_live boolean, audio_languages text[],
  subtitle_languages text[], image_address text, details jsonb`)
const NAMES = `titles, subtitles, descriptions, genres, morality_level, adult, year, season_number, episode_number, is_new, is_repeat,
  is_live, audio_languages, subtitle_languages, image_address, details`

/** All rows as one parameter: the statement is the same text however many there are. */
function rowsFor(channelId: number, list: readonly (Placed & { id?: number })[]): string {
  const rows = list.map(({ id, startsAt, endsAt, universalId, digest, columns }) => {
    const place = JSON.stringify({
      id,
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
      universal_id: universalId ?? `${channelId}-${Math.floor(startsAt / 1000)}`,
      digest,
    })
    // Two objects become one by their braces.
    return `${place.slice(0, -1)},${columns.slice(1)}`
  })
  return `[${rows.join(',')}]`
}

function digestOf({ endsAt, universalId, columns }: ProgrammeToWrite): string {
  return hash('md5', `${endsAt} ${universalId} ${columns}`, 'base64')
}

function isOther({ sourceId }: Row, { id }: GuideOwner): boolean {
  return sourceId !== id
}

async function insert(
  tx: Transaction,
  channelId: number,
  sourceId: number,
  list: readonly Placed[],
): Promise<void> {
  await tx.execute(sql`
    insert into programmes (channel_id, source_id, starts_at, ends_at, universal_id, digest, ${sql.raw(NAMES)})
    select ${channelId}::int, ${sourceId}::int, starts_at, ends_at, universal_id, digest, ${sql.raw(NAMES)}
    from jsonb_to_recordset(${rowsFor(channelId, list)}::jsonb) as given (
      starts_at timestamptz, ends_at timestamptz, universal_id text, digest text, ${COLUMNS}
    )`)
}

async function update(
  tx: Transaction,
  channelId: number,
  sourceId: number,
  list: readonly Change[],
): Promise<void> {
  const assignments = NAMES.split(',').map((name) => `${name.trim()} = given.${name.trim()}`)
  await tx.execute(sql`
    update programmes set source_id = ${sourceId}::int, ends_at = given.ends_at, universal_id = given.universal_id,
      digest = given.digest, asset_id = null, ${sql.raw(assignments.join(', '))}
    from jsonb_to_recordset(${rowsFor(channelId, list)}::jsonb) as given (
      id int, ends_at timestamptz, universal_id text, digest text, ${COLUMNS}
    )
    where programmes.id = given.id`)
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
