import { type SQL, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { manyRowsOf } from '../../../database/rows.ts'
import {
  type OtherStarts,
  recordedProgrammes,
} from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { LONGEST_PROGRAMME_MS, programmes } from '../../television/guide-import/guide.table.ts'
import { FOLLOW_MS, type Followed, type Showing } from './follow-programme.ts'

/** Fields that identify the programme of a row, which is a row of the guide or a recorded programme. */
interface IdentityRow {
  channelId: number
  universalId: string
  startsAt: number
  endsAt: number
  titles: LocalisedText
  subtitles: LocalisedText
  seasonNumber: number | null
  episodeNumber: number | null
}

type Identity = Pick<Showing, 'ownId' | 'contentKey' | 'titleKey' | 'startsAt' | 'endsAt'>

function identityOf(row: IdentityRow): Identity {
  const { channelId, universalId, startsAt, endsAt, titles, subtitles, seasonNumber, episodeNumber } = row
  // An import makes such an id for a programme without an id.
  const isMade = universalId === `${channelId}-${Math.floor(startsAt / 1000)}`
  return {
    ownId: isMade ? null : universalId,
    // The database sorts the keys of JSON objects, so equal values give equal strings.
    contentKey: JSON.stringify([titles, subtitles, seasonNumber, episodeNumber]),
    titleKey: JSON.stringify(titles),
    startsAt,
    endsAt,
  }
}

/** A recorded programme that follows the guide. */
export interface FollowedRow extends Followed {
  id: number
  channelId: number
}

const IDENTITY = sql.raw(`
  channel_id as "channelId", universal_id as "universalId", (extract(epoch from starts_at) * 1000)::float8 as "startsAt",
  (extract(epoch from ends_at) * 1000)::float8 as "endsAt", titles, subtitles, season_number as "seasonNumber",
  episode_number as "episodeNumber"`)

/** Selects the recorded programmes that follow the guide. Without fields, selects all of them. */
export interface FollowWanted {
  channelIds?: readonly number[] | undefined
  /** Only programmes that begin before this time, in milliseconds since the Unix epoch. */
  before?: number | undefined
}

function isFollowed({ channelIds, before }: FollowWanted) {
  const conditions = [
    sql`settled_at is null`,
    ...(channelIds === undefined ? [] : [sql`channel_id = any(${list(channelIds)})`]),
    ...(before === undefined ? [] : [sql`starts_at < ${new Date(before).toISOString()}`]),
  ]
  return sql.join(conditions, sql` and `)
}

/**
 * SQL condition that a settled programme has no time in common with its programme in the guide. Examines only
 * programmes that ended less than {@link FOLLOW_MS} before `now`.
 */
export const wasMovedAway = (now: number) => sql`(
  ${recordedProgrammes.settledAt} is not null
  and ${recordedProgrammes.pinnedTo} > ${new Date(now - FOLLOW_MS).toISOString()}
  and (${programmes.startsAt} >= ${recordedProgrammes.endsAt} or ${programmes.endsAt} <= ${recordedProgrammes.startsAt}))`

/**
 * Returns the ids of the channels with recordings that still follow the guide and match `wanted`, or whose programme was
 * moved away after they ended.
 */
export async function findFollowedChannels(
  db: Database,
  wanted: FollowWanted,
  now: number,
): Promise<number[]> {
  const { channelIds } = wanted
  const rows = await manyRowsOf<{ channelId: number }>(
    db,
    sql`select channel_id as "channelId" from recorded_programmes where ${isFollowed(wanted)}
      union
      select recorded_programmes.channel_id from recorded_programmes
      join programmes on programmes.id = recorded_programmes.programme_id
      where ${wasMovedAway(now)}
        ${channelIds && sql`and recorded_programmes.channel_id = any(${list(channelIds)})`}
      order by 1`,
  )
  return rows.map(({ channelId }) => channelId)
}

/**
 * Locks the guides of channels until the transaction ends, in the order of the channels' ids. An import locks each
 * channel that it changes.
 */
export async function lockGuidesOf(tx: Transaction, channelIds: readonly number[]): Promise<void> {
  // The lock does not block new recordings of the channels.
  await tx.execute(sql`
    select from channels where id = any(${list(channelIds)}) order by id for no key update`)
}

export async function findFollowed(tx: Transaction, wanted: FollowWanted): Promise<FollowedRow[]> {
  return await followedRows(tx, isFollowed(wanted))
}

/** Returns the latest settled programme that was recorded as the programme of the guide; undefined without one. */
export async function findSettled(db: Database, programmeId: number): Promise<FollowedRow | undefined> {
  const rows = await followedRows(db, sql`programme_id = ${programmeId} and settled_at is not null`)
  return rows.at(-1)
}

async function followedRows(db: Database | Transaction, condition: SQL): Promise<FollowedRow[]> {
  const rows = await manyRowsOf<IdentityRow & { id: number; otherStarts: OtherStarts }>(
    db,
    sql`select id, other_starts as "otherStarts", ${IDENTITY} from recorded_programmes where ${condition} order by id`,
  )
  return rows.map((row) => ({
    id: row.id,
    channelId: row.channelId,
    otherStarts: row.otherStarts,
    ...identityOf(row),
  }))
}

/** A channel, and a time around which its guide is read. */
interface Around {
  channelId: number
  startsAt: number
}

/**
 * Returns the guide of each channel, in order of time. The guide begins {@link FOLLOW_MS} before the first given
 * time of the channel, and ends as long after the last one.
 */
export async function findShowings(
  db: Database | Transaction,
  around: readonly Around[],
): Promise<Map<number, Showing[]>> {
  const ranges = [...Map.groupBy(around, ({ channelId }) => channelId)].map(([channelId, all]) => {
    const starts = all.map(({ startsAt }) => startsAt)
    return {
      channel_id: channelId,
      after: new Date(Math.min(...starts) - FOLLOW_MS).toISOString(),
      before: new Date(Math.max(...starts) + FOLLOW_MS).toISOString(),
    }
  })
  const rows = await manyRowsOf<IdentityRow & { id: number }>(
    db,
    sql`select id, ${IDENTITY} from (
      select p.* from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb)
        as given (channel_id int, after timestamptz, before timestamptz)
      join programmes p on p.channel_id = given.channel_id and p.ends_at > given.after
        and p.ends_at <= given.before + make_interval(secs => ${LONGEST_PROGRAMME_MS / 1000})
        and p.starts_at < given.before
    ) as near order by starts_at`,
  )
  return Map.groupBy(
    rows.map((row) => ({ id: row.id, channelId: row.channelId, ...identityOf(row) })),
    ({ channelId }) => channelId,
  )
}

function list(ids: readonly number[]) {
  return sql`${sql.param(`{${ids.join(',')}}`)}::int[]`
}
