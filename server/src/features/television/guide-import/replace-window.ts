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
 * keep their id, also when they move (see {@link findMoved}). Programmes of sources with a higher priority stay, and
 * `wanted` fills the gaps between them. Programmes of sources with a lower priority stay only in the gaps of `wanted`.
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
  const moved = await findMoved(tx, gone, added)
  const movedIds = new Set(moved.values())
  const removed = gone.filter((id) => !movedIds.has(id))
  const going = removed.slice(0, mostGone)
  if (going.length > 0) await tx.delete(programmes).where(inArray(programmes.id, going))
  if (going.length < removed.length)
    return { added: 0, changed: 0, unchanged: 0, removed: going.length, outranked: 0, isWhole: false }
  for (const { id, endsAt } of cut)
    await tx.update(programmes).set({ endsAt, digest: null }).where(eq(programmes.id, id))
  const fresh: Placed[] = []
  for (const programme of added) {
    const id = moved.get(programme.startsAt)
    if (id === undefined) fresh.push(programme)
    else changed.push({ ...programme, id })
  }
  if (changed.length > 0) await update(tx, channelId, owner.id, changed)
  if (fresh.length > 0) await insert(tx, channelId, owner.id, fresh)
  return {
    added: fresh.length,
    changed: changed.length,
    unchanged,
    removed: removed.length,
    outranked: wanted.length - fitted.length,
    isWhole: true,
  }
}

/** A programme that starts at most this far from its earlier start may be the same showing, in milliseconds. */
const NEAR_MS = 3 * 3600_000

/**
 * Finds the programmes that the guide has moved, so that they keep their id and links to them still work. A moved
 * programme has the id of the source, or the titles, season and episode, of a programme that is about to be deleted,
 * and starts near it. The nearest programmes match first, and each programme matches once.
 *
 * @param gone ids of the programmes that are about to be deleted
 * @returns the id of each moved programme, by its new start
 */
async function findMoved(
  tx: Transaction,
  gone: readonly number[],
  added: readonly Placed[],
): Promise<Map<number, number>> {
  const moved = new Map<number, number>()
  if (gone.length === 0 || added.length === 0) return moved
  const rows = added.map(({ startsAt, universalId, columns }) =>
    merged({ starts_at: iso(startsAt), universal_id: universalId }, columns),
  )
  const pairs = await manyRowsOf<{ id: number; startsAt: number }>(
    tx,
    sql`
      select p.id, (extract(epoch from given.starts_at) * 1000)::float8 as "startsAt"
      from jsonb_to_recordset(${`[${rows.join(',')}]`}::jsonb) as given (
        starts_at timestamptz, universal_id text, titles jsonb, subtitles jsonb, season_number int, episode_number int
      )
      join programmes p on p.universal_id = given.universal_id or (
        p.titles = given.titles and p.subtitles = given.subtitles
        and p.season_number is not distinct from given.season_number
        and p.episode_number is not distinct from given.episode_number
      )
      where p.id in (select value::int from jsonb_array_elements_text(${JSON.stringify(gone)}::jsonb))
        and abs(extract(epoch from given.starts_at - p.starts_at)) * 1000 <= ${NEAR_MS}
      order by coalesce(p.universal_id = given.universal_id, false) desc,
        abs(extract(epoch from given.starts_at - p.starts_at)), p.starts_at`,
  )
  const used = new Set<number>()
  for (const { id, startsAt } of pairs) {
    if (used.has(id) || moved.has(startsAt)) continue
    used.add(id)
    moved.set(startsAt, id)
  }
  return moved
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
    const place = {
      id,
      starts_at: iso(startsAt),
      ends_at: iso(endsAt),
      universal_id: universalId ?? `${channelId}-${Math.floor(startsAt / 1000)}`,
      digest,
    }
    return merged(place, columns)
  })
  return `[${rows.join(',')}]`
}

/** Returns a JSON object with the fields of `place` and of the JSON object `columns`. */
function merged(place: Readonly<Record<string, unknown>>, columns: string): string {
  // Merge two JSON objects by removing the braces between them.
  return `${JSON.stringify(place).slice(0, -1)},${columns.slice(1)}`
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
    update programmes set source_id = ${sourceId}::int, starts_at = given.starts_at, ends_at = given.ends_at, universal_id = given.universal_id,
      digest = given.digest, asset_id = null, ${sql.raw(assignments.join(', '))}
    from jsonb_to_recordset(${rowsFor(channelId, list)}::jsonb) as given (
      id int, starts_at timestamptz, ends_at timestamptz, universal_id text, digest text, ${COLUMNS}
    )
    where programmes.id = given.id`)
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
