import { and, asc, eq, gt, lt, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { LONGEST_PROGRAMME_MS, programmes } from '../guide-import/guide.table.ts'

/**
 * Returns the SQL condition that the guide forbids recording a programme.
 *
 * @param details column of the programme's details
 */
export function forbidsRecording(details: SQLWrapper): SQL<boolean> {
  return sql<boolean>`${details} @> '{"recordingForbidden": true}'`
}

/**
 * Returns the SQL condition that viewers may see only the live edge of a programme, because the guide forbids
 * start-over or time-shift. Either attribute forbids both: a viewer who may go back in a programme may also go
 * back to its beginning (docs/decisions/0084).
 *
 * @param details column of the programme's details
 */
export function forbidsPast(details: SQLWrapper): SQL<boolean> {
  return sql<boolean>`(${details} @> '{"startOverForbidden": true}' or ${details} @> '{"timeShiftForbidden": true}')`
}

/**
 * A programme for which the guide forbids recording or going back. Times are milliseconds since the Unix epoch.
 */
export interface ForbiddenProgramme {
  startsAt: number
  endsAt: number
  isRecordingForbidden: boolean
  /** Whether viewers may see only the live edge. */
  isPastForbidden: boolean
}

/** Returns the programmes of a channel in `[from, to)` with a use that the guide forbids, in order of time. */
export async function forbiddenBetween(
  db: Database | Transaction,
  channelId: number,
  from: number,
  to: number,
): Promise<ForbiddenProgramme[]> {
  const { details, startsAt, endsAt } = programmes
  const isRecordingForbidden = forbidsRecording(details)
  const isPastForbidden = forbidsPast(details)
  return await db
    .select({ startsAt, endsAt, isRecordingForbidden, isPastForbidden })
    .from(programmes)
    .where(
      and(
        eq(programmes.channelId, channelId),
        gt(endsAt, from),
        lte(endsAt, to + LONGEST_PROGRAMME_MS),
        lt(startsAt, to),
        or(isRecordingForbidden, isPastForbidden),
      ),
    )
    .orderBy(asc(startsAt))
}
