import { hash } from 'node:crypto'
import { eq, inArray, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
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
 * keep their id, also when they move (see {@link findKept}). Programmes of sources with a higher priority stay, and
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
  const replaced = new Map(there.filter((row) => !above.includes(row)).map((row) => [row.startsAt, row]))
  const written: Placed[] = []
  let unchanged = 0
  for (const programme of fitted) {
    const row = replaced.get(programme.startsAt)
    const placed = { ...programme, digest: digestOf(programme) }
    if (row && row.digest === placed.digest && !isOther(row, owner)) {
      replaced.delete(programme.startsAt)
      unchanged++
    } else written.push(placed)
  }
  const starts = new Set(written.map(({ startsAt }) => startsAt))
  const cut: { id: number; endsAt: number }[] = []
  for (const row of replaced.values()) {
    if (starts.has(row.startsAt)) continue
    const isBelow = isOther(row, owner) && row.priority !== null && row.priority < owner.priority
    const next = isBelow
      ? fitted.find(({ startsAt, endsAt }) => startsAt < row.endsAt && endsAt > row.startsAt)?.startsAt
      : from
    if (next !== undefined && next <= row.startsAt) continue
    replaced.delete(row.startsAt)
    // A programme that began before the new guide is cut at the start of the new guide.
    if (next !== undefined) cut.push({ id: row.id, endsAt: next })
  }
  if (lock === 'additions' && replaced.size + cut.length > 0) return undefined
  const kept = await findKept(tx, replaced, written)
  const keptIds = new Set([...kept.values()].map(({ id }) => id))
  const removed = [...replaced.values()].filter(({ id }) => !keptIds.has(id)).map(({ id }) => id)
  const going = removed.slice(0, mostGone)
  if (going.length > 0) await tx.delete(programmes).where(inArray(programmes.id, going))
  if (going.length < removed.length)
    return { added: 0, changed: 0, unchanged: 0, removed: going.length, outranked: 0, isWhole: false }
  for (const { id, endsAt } of cut)
    await tx.update(programmes).set({ endsAt, digest: null }).where(eq(programmes.id, id))
  const added: Placed[] = []
  const changed: Change[] = []
  const movedIds: number[] = []
  for (const programme of written) {
    const row = kept.get(programme.startsAt)
    if (row) changed.push({ ...programme, id: row.id })
    else added.push(programme)
    if (row && row.startsAt !== programme.startsAt) movedIds.push(row.id)
  }
  if (movedIds.length > 0) await clearStarts(tx, movedIds)
  if (changed.length > 0) await update(tx, channelId, owner.id, changed)
  if (added.length > 0) await insert(tx, channelId, owner.id, added)
  return {
    added: added.length,
    changed: changed.length,
    unchanged,
    removed: removed.length,
    outranked: wanted.length - fitted.length,
    isWhole: true,
  }
}

/** A programme that starts at most this far from its earlier start may be the same showing, in milliseconds. */
const NEAR_MS = 3 * 3600_000

/** Fields that identify the programme of a row. */
interface Identity {
  universal_id: string | null
  titles: LocalisedText
  subtitles?: LocalisedText
  season_number?: number | null
  episode_number?: number | null
}

/**
 * Finds the rows whose ids the written programmes keep, so that links to a programme still work when the guide moves it.
 * A programme keeps the id of a row near its start that has the same id of the source, or the same titles, season and
 * episode. Rows with the same id of the source and rows with the same start match first, then the nearest ones. Each
 * matches once, and showings of one programme keep their order. A programme
 * without such a row takes the row at its own start, if no other programme keeps it.
 *
 * Known limit: an import replaces a guide in slices, each with a window of its own. A programme that moves across the
 * border of two windows gets a new id.
 *
 * @param replaced rows that are about to be replaced or deleted, by start
 * @returns the rows by the start of the written programme
 */
async function findKept(
  tx: Transaction,
  replaced: ReadonlyMap<number, Row>,
  written: readonly Placed[],
): Promise<Map<number, Row>> {
  const kept = new Map<number, Row>()
  if (replaced.size === 0 || written.length === 0) return kept
  const rows = [...replaced.values()]
  const identities = await manyRowsOf<Identity & { id: number }>(
    tx,
    sql`
      select id, universal_id, titles, subtitles, season_number, episode_number from programmes
      where id in (
        select value::int from jsonb_array_elements_text(${JSON.stringify(rows.map(({ id }) => id))}::jsonb))`,
  )
  const keysOfRow = new Map(identities.map((each) => [each.id, keysOf(each)]))
  const rowsOfKey = new Map<string, Row[]>()
  for (const row of rows)
    for (const key of keysOfRow.get(row.id) ?? []) rowsOfKey.set(key, [...(rowsOfKey.get(key) ?? []), row])
  const pairs = written.flatMap(({ startsAt, universalId, columns }) =>
    keysOf({ ...(JSON.parse(columns) as Identity), universal_id: universalId }).flatMap((key) =>
      (rowsOfKey.get(key) ?? [])
        .map((row) => ({ row, startsAt, key, distance: Math.abs(row.startsAt - startsAt) }))
        .filter(({ distance }) => distance <= NEAR_MS),
    ),
  )
  // The same content at the same start is as certain as the same id of the source.
  const isCertain = ({ key, distance }: { key: string; distance: number }) =>
    distance === 0 || key.startsWith('id ')
  pairs.sort(
    (one, other) =>
      Number(isCertain(other)) - Number(isCertain(one)) ||
      one.distance - other.distance ||
      one.row.startsAt - other.row.startsAt,
  )
  const used = new Set<Row>()
  const paired = new Map<string, { row: Row; startsAt: number }[]>()
  for (const { row, startsAt, key } of pairs) {
    const others = paired.get(key) ?? []
    const isCrossing = others.some((other) => other.row.startsAt < row.startsAt !== other.startsAt < startsAt)
    if (used.has(row) || kept.has(startsAt) || isCrossing) continue
    used.add(row)
    kept.set(startsAt, row)
    paired.set(key, [...others, { row, startsAt }])
  }
  for (const { startsAt } of written) {
    const row = replaced.get(startsAt)
    if (row && !used.has(row) && !kept.has(startsAt)) kept.set(startsAt, row)
  }
  return kept
}

/** Returns the texts of which two showings of one programme have one in common. */
function keysOf({ universal_id, titles, subtitles, season_number, episode_number }: Identity): string[] {
  const sorted = (text: LocalisedText = {}) =>
    Object.entries(text).sort(([one], [other]) => (one < other ? -1 : 1))
  const content = JSON.stringify([
    sorted(titles),
    sorted(subtitles),
    season_number ?? null,
    episode_number ?? null,
  ])
  return universal_id === null ? [content] : [`id ${universal_id}`, content]
}

/**
 * Moves rows to a time without a guide, until they get their new starts. Otherwise, a row could not move to the start of
 * another one that moves too, because a channel has only one programme at a time. The times are before 1970, one for
 * each id. A calculation with years would depend on the time zone of the session, and give the two instants of an hour
 * that clocks repeat one time.
 */
async function clearStarts(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    update programmes set starts_at = to_timestamp(-id)
    where id in (select value::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`)
}

/** Names and types of the columns in the JSON object `columns`. */
const COLUMNS = sql.raw(`
  titles jsonb, subtitles jsonb, descriptions jsonb, genres text[], morality_level smallint, adult boolean, year smallint,
  season_number int, episode_number int, is_new boolean, is_repeat boolean, is_live boolean, audio_languages text[],
  subtitle_languages text[], image_address text, details jsonb`)
const NAMES = `titles, subtitles, descriptions, genres, morality_level, adult, year, season_number, episode_number, is_new, is_repeat,
  is_live, audio_languages, subtitle_languages, image_address, details`

/**
 * Returns all rows as one parameter, so that the statement's text does not depend on the number of rows. Statements read
 * it as `json`, which takes PostgreSQL half as long as `jsonb`.
 */
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
    from json_to_recordset(${rowsFor(channelId, list)}::json) as given (
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
    from json_to_recordset(${rowsFor(channelId, list)}::json) as given (
      id int, starts_at timestamptz, ends_at timestamptz, universal_id text, digest text, ${COLUMNS}
    )
    where programmes.id = given.id`)
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
