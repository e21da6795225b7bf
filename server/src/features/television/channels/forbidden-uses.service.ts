import { and, asc, eq, gt, lt, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { LONGEST_PROGRAMME_MS, programmes } from '../guide-import/guide.table.ts'

/** Returns the condition that the guide forbids recording a programme with these details. */
export function forbidsRecording(details: SQLWrapper): SQL<boolean> {
  return sql<boolean>`${details} @> '{"recordingForbidden": true}'`
}

/**
 * Returns the condition that viewers may see only the live edge of a programme with these details: the guide forbids
 * its start-over or its time-shift. A viewer who may go back in a programme may go back to its beginning, so each
 * attribute forbids both (docs/decisions/0084).
 */
export function forbidsPast(details: SQLWrapper): SQL<boolean> {
  return sql<boolean>`(${details} @> '{"startOverForbidden": true}' or ${details} @> '{"timeShiftForbidden": true}')`
}

/** A programme of which the guide forbids something. Times are milliseconds since the Unix epoch. */
export interface ForbiddenProgramme {
  startsAt: number
  endsAt: number
  isRecordingForbidden: boolean
  /** Whether only the live edge may be shown. */
  isPastForbidden: boolean
}

/** Returns the programmes of a channel in `[from, to)` of which the guide forbids something, in order of time. */
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
