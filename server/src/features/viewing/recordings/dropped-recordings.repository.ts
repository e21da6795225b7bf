import { sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { manyRowsOf, rowsOf } from '../../../database/rows.ts'

/**
 * Returns the SQL time at which the guide dropped a recorded programme, or forbade its recording; null if it did
 * neither. The earlier one counts, so that accounts are told once. `of` is the alias of the programme.
 */
export const unavailableSince = (of: 'p' | 'rp') => `least(${of}.dropped_at, ${of}.withheld_at)`

const UNAVAILABLE_SINCE = sql.raw(unavailableSince('p'))

/** SQL condition that a recorded programme `p` is dropped or withheld. An index has the same condition. */
const IS_DROPPED_OR_WITHHELD = sql.raw(
  '(p.dropped_at is not null or p.withheld_at is not null) and p.settled_at is null',
)

/** Selects the dropped programmes that are reported to accounts now. Times are milliseconds since the Unix epoch. */
export interface ToldWhen {
  /** Programmes that are over at this time are not reported. */
  now: number
  /** Programmes that were dropped before this time are reported. */
  droppedBefore: number
  /** Programmes that begin before this time are reported if they were dropped before `soonDroppedBefore`. */
  startsBefore: number
  soonDroppedBefore: number
}

/** Returns the dropped and withheld programmes to report now. */
export async function findDroppedProgrammes(
  db: Database,
  { now, droppedBefore, startsBefore, soonDroppedBefore }: ToldWhen,
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`
      select p.id from recorded_programmes p
      where ${IS_DROPPED_OR_WITHHELD} and p.ends_at > ${iso(now)}
        and (p.drop_told_at is null or p.drop_told_at < ${UNAVAILABLE_SINCE})
        and (${UNAVAILABLE_SINCE} <= ${iso(droppedBefore)}
          or p.starts_at <= ${iso(startsBefore)} and ${UNAVAILABLE_SINCE} <= ${iso(soonDroppedBefore)})
      order by p.id`,
  )
  return rows.map(({ id }) => id)
}

/** Records that the drop of a programme was reported to all accounts. */
export async function noteProgrammeTold(db: Database, id: number, now: number): Promise<void> {
  await db.execute(sql`update recorded_programmes set drop_told_at = ${iso(now)} where id = ${id}`)
}

const IS_UNTOLD = sql`r.removed_at is null and r.lost_since is null
  and (r.drop_told_at is null or r.drop_told_at < ${UNAVAILABLE_SINCE})`

/**
 * Returns the profiles that must still be told that a programme was dropped. Reads at most `limit` of the
 * programme's recordings after `afterId`, and returns their owners.
 *
 * @returns `last` is the last recording of the slice; undefined if no recordings remain
 */
export async function findProfilesToTell(
  db: Database,
  recordedProgrammeId: number,
  afterId: number,
  limit: number,
): Promise<{ profileIds: number[]; last: number | undefined }> {
  const rows = await manyRowsOf<{ id: number; profileId: number }>(
    db,
    sql`
      select r.id, r.profile_id as "profileId"
      from recordings r join recorded_programmes p on p.id = r.recorded_programme_id
      where r.recorded_programme_id = ${recordedProgrammeId} and r.id > ${afterId} and ${IS_UNTOLD}
      order by r.id limit ${limit}`,
  )
  return { profileIds: rows.map(({ profileId }) => profileId), last: rows.at(-1)?.id }
}

/** A recording whose programme the guide has dropped, with its owner. Times are milliseconds since the Unix epoch. */
export interface DroppedRecording {
  id: number
  recordedProgrammeId: number
  accountId: number
  profileId: number
  kid: boolean
  maximumMoralityLevel: number
  storefrontId: number
  language: string
  titles: LocalisedText
  channel: LocalisedText
  startsAt: number
  droppedAt: number
}

/**
 * Returns the recordings of dropped programmes, in order of time, if the drop was not reported to their accounts
 * yet.
 *
 * @param recordedProgrammeIds the programmes to report now
 */
export async function findUntold(
  db: Database,
  profileIds: readonly number[],
  recordedProgrammeIds: readonly number[],
): Promise<DroppedRecording[]> {
  return await manyRowsOf<DroppedRecording>(
    db,
    sql`
      select r.id, p.id as "recordedProgrammeId", r.account_id as "accountId", r.profile_id as "profileId", o.kid,
        o.maximum_morality_level as "maximumMoralityLevel", a.storefront_id as "storefrontId", a.language,
        coalesce(s.names, t.titles, p.titles) as titles, c.names as channel,
        (extract(epoch from p.starts_at) * 1000)::float8 as "startsAt",
        (extract(epoch from ${UNAVAILABLE_SINCE}) * 1000)::float8 as "droppedAt"
      from recordings r
      join recorded_programmes p on p.id = r.recorded_programme_id
      join channels c on c.id = p.channel_id
      join profiles o on o.id = r.profile_id
      join accounts a on a.id = r.account_id
      left join assets t on t.id = p.asset_id
      left join categories s on s.id = t.serie_id
      where r.profile_id = any(${list(profileIds)}) and p.id = any(${list(recordedProgrammeIds)})
        and ${IS_DROPPED_OR_WITHHELD} and ${IS_UNTOLD}
      order by p.starts_at, r.id`,
  )
}

/** Records that the drops of these recordings' programmes were reported to their accounts. */
export async function noteTold(db: Database, ids: readonly number[], now: number): Promise<void> {
  await db.execute(sql`update recordings set drop_told_at = ${iso(now)} where id = any(${list(ids)})`)
}

function list(ids: readonly number[]) {
  return sql`${sql.param(`{${ids.join(',')}}`)}::int[]`
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
