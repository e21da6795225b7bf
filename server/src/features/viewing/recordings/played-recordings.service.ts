import { sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'

/** Playback of a recording that a player reported. Times are milliseconds since the Unix epoch. */
export interface ReportedPlayback {
  recordingId: number
  /** Position on the clock of the channel; undefined if the player reported no position. */
  watchedTo: number | undefined
  updatedAt: number
  playingUntil: number
}

/** Stores reports in one statement. An older report never replaces a newer report. */
export async function storePlayback(db: Database, reported: readonly ReportedPlayback[]): Promise<void> {
  const rows = reported.map(({ recordingId, watchedTo, updatedAt, playingUntil }) => ({
    id: recordingId,
    watched_to: watchedTo === undefined ? null : iso(watchedTo),
    watched_at: iso(updatedAt),
    playing_until: iso(playingUntil),
  }))
  await db.execute(sql`
    update recordings r set watched_to = coalesce(given.watched_to, r.watched_to), watched_at = given.watched_at,
      playing_until = given.playing_until
    from (
      select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as all_given (
        id int, watched_to timestamptz, watched_at timestamptz, playing_until timestamptz)
      order by id, watched_at desc
    ) as given
    where r.id = given.id and (r.watched_at is null or r.watched_at <= given.watched_at)`)
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
