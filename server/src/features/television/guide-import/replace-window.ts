import { hash } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { manyRowsOf } from '../../../database/rows.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { fitBetween } from './fit-between.ts'
import { LONGEST_PROGRAMME_MS, programmes } from './guide.table.ts'
import { type GuideLock, lockGuide } from './programmes.service.ts'

/** A programme to write into the guide. Times are milliseconds since the Unix epoch. */
export interface ProgrammeToWrite {
  startsAt: number
  endsAt: number
  /** Id of the programme at the source; null if the source gives none. */
  universalId: string | null
  /** JSON object with the other columns of the programme, as text. */
  columns: string
}

/**
 * The source whose programmes are written. Among several sources of a channel, the source with the highest
 * priority has precedence.
 */
export interface GuideOwner {
  id: number
  priority: number
}

/** A window of a channel's guide, with its new programmes. Times are milliseconds since the Unix epoch. */
export interface GuideWindow {
  from: number
  /** End of the window: the start of the next window, or the end of the last programme. */
  to: number
  /** Programmes to write, in order of time and without overlaps. */
  wanted: readonly ProgrammeToWrite[]
}

/** Result of replacing a window. */
export interface Replaced {
  added: number
  changed: number
  unchanged: number
  removed: number
  /** Number of programmes that were omitted in favour of a source with a higher priority. */
  outranked: number
}

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
 * Replaces the programmes of a channel in a window. Unchanged programmes are not written, and changed programmes
 * keep their id. Programmes of sources with a higher priority stay, and `wanted` fills the gaps between them.
 * Programmes of sources with a lower priority stay only in the gaps of `wanted`.
 *
 * @param mostGone maximum number of programmes to delete. If more must be deleted, deletes only this number,
 * writes nothing, and returns `isWhole` as false. The caller must then repeat the call.
 * @param lock `additions` if the window is expected to gain programmes only.
 * @returns undefined if the window needs changes that `lock` does not allow. Nothing is written then.
 */
export async function replaceWindow(
  tx: Transaction,
  channelId: number,
  owner: GuideOwner,
  { from, to, wanted }: GuideWindow,
  mostGone: number,
  lock: GuideLock,
): Promise<(Replaced & { isWhole: boolean }) | undefined> {
  await lockGuide(tx, lock)
  // Force index look-ups. Without statistics on newly imported rows, the planner would scan the whole guide for
  // each channel. The embedded database never has statistics.
  await tx.execute(sql`set local enable_seqscan = off`)
  // Lock the channel, so that concurrent imports of its guide wait.
  await tx.select({ id: channels.id }).from(channels).where(eq(channels.id, channelId)).for('update')
  const there = await manyRowsOf<Row>(
    tx,
    sql`
      select p.id, (extract(epoch from p.starts_at) * 1000)::float8 as "startsAt", (extract(epoch from p.ends_at) * 1000)::float8 as "endsAt",
        p.digest, p.source_id as "sourceId", s.priority
      from programmes p left join guide_sources s on s.id = p.source_id
      where p.channel_id = ${channelId} and p.ends_at > ${iso(from)} and p.starts_at < ${iso(to)}
        and p.ends_at <= ${iso(to + LONGEST_PROGRAMME_MS)}
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
    // A programme that began before the new guide is cut at the start of the new guide.
    if (row.startsAt < next) cut.push({ id: row.id, endsAt: next })
    else gone.push(row.id)
  }
  if (lock === 'additions' && gone.length + cut.length + changed.length > 0) return undefined
  const going = gone.slice(0, mostGone)
  if (going.length > 0) await tx.delete(programmes).where(inArray(programmes.id, going))
  if (going.length < gone.length)
    return { added: 0, changed: 0, unchanged: 0, removed: going.length, outranked: 0, isWhole: false }
  for (const { id, endsAt } of cut)
    await tx.update(programmes).set({ endsAt, digest: null }).where(eq(programmes.id, id))
  if (changed.length > 0) await update(tx, channelId, owner.id, changed)
  if (added.length > 0) await insert(tx, channelId, owner.id, added)
  return {
    added: added.length,
    changed: changed.length,
    unchanged,
    removed: gone.length,
    outranked: wanted.length - fitted.length,
    isWhole: true,
  }
}

/** Names and types of the columns in the JSON object `columns`. */
const COLUMNS = sql.raw(`
  titles jsonb, subtitles jsonb, descriptions jsonb, genres text[], morality_level smallint, adult boolean, year smallint,
  season_number int, episode_number int, is_new boolean, is_repeat boolean, is_live boolean, audio_languages text[],
  subtitle_languages text[], image_address text, details jsonb`)
const NAMES = `titles, subtitles, descriptions, genres, morality_level, adult, year, season_number, episode_number, is_new, is_repeat,
  is_live, audio_languages, subtitle_languages, image_address, details`

/** Returns all rows as one parameter, so that the statement's text does not depend on the number of rows. */
function rowsFor(channelId: number, list: readonly (Placed & { id?: number })[]): string {
  const rows = list.map(({ id, startsAt, endsAt, universalId, digest, columns }) => {
    const place = JSON.stringify({
      id,
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
      universal_id: universalId ?? `${channelId}-${Math.floor(startsAt / 1000)}`,
      digest,
    })
    // Merge two JSON objects by removing the braces between them.
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
