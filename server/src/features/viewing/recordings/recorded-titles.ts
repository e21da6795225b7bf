import { sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { manyRowsOf, rowsOf } from '../../../database/rows.ts'

/** A recorded programme with a title. */
export interface RecordedTitle {
  id: number
  titles: LocalisedText
  channelNames: LocalisedText
  /** Milliseconds since the Unix epoch. */
  startsAt: number
  /** Number of recordings of the programme. */
  recordings: number
}

/** Maximum number of recordings in a slice. */
const BATCH = 500

/**
 * Returns the recorded programmes with a title in any language, in order of time. Compares the title in the
 * library, the title in the guide, and the name of the series, without regard to case.
 */
export async function findRecordedTitle(db: Database, title: string): Promise<RecordedTitle[]> {
  return await manyRowsOf<RecordedTitle>(
    db,
    sql`
      select p.id, coalesce(a.titles, p.titles) as titles, c.names as "channelNames",
        (extract(epoch from p.starts_at) * 1000)::float8 as "startsAt",
        (select count(*)::int from recordings r where r.recorded_programme_id = p.id) as recordings
      from recorded_programmes p
      join channels c on c.id = p.channel_id
      left join assets a on a.id = p.asset_id
      left join categories s on s.id = a.serie_id
      where lower(${title}) in (
        select lower(value) from unnest(array[p.titles, a.titles, s.names]) as texts, jsonb_each_text(texts))
      order by p.starts_at, p.id`,
  )
}

/**
 * Deletes recorded programmes with all their recordings, in slices. This unpins their media.
 *
 * @returns the number of deleted recordings
 */
export async function removeRecordedTitle(
  db: Database,
  recordedProgrammeIds: readonly number[],
  signal: AbortSignal,
): Promise<number> {
  const pace = new Pace(BATCH)
  let all = 0
  for (const id of recordedProgrammeIds) {
    for (let more = true; more; ) {
      signal.throwIfAborted()
      more = await pace.slice(async (most) => {
        const gone = await rowsOf(
          db,
          sql`
            delete from recordings where id in (
              select id from recordings where recorded_programme_id = ${id} order by id limit ${most})
            returning id`,
        )
        all += gone.length
        return gone.length === most
      })
    }
    // The cascade also deletes recordings that were added during the loop above.
    await db.execute(sql`delete from recorded_programmes where id = ${id}`)
  }
  return all
}
