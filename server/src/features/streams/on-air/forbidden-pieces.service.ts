import type { Database, Transaction } from '../../../database/connection.ts'
import {
  type ForbiddenProgramme,
  forbiddenBetween,
} from '../../television/channels/forbidden-uses.service.ts'
import { type RatedInterval, shownIn } from './live-ratings.service.ts'
import type { RatedPiece } from './on-air.service.ts'

/** The uses of a piece of media that the guide forbids. */
export type Forbidden = Pick<RatedPiece, 'isRecordingForbidden' | 'liveUntil'>

/** Value for media for which the guide forbids nothing. */
export const UNLIMITED: Forbidden = { isRecordingForbidden: false, liveUntil: 0 }

/**
 * Returns what the guide forbids for each interval of a channel, in order. All programmes that fill a substantial
 * part of an interval count.
 *
 * @param intervals in order of time
 */
export async function forbiddenIn(
  db: Database | Transaction,
  channelId: number,
  intervals: readonly RatedInterval[],
): Promise<Forbidden[]> {
  const [first, last] = [intervals[0], intervals.at(-1)]
  if (!first || !last) return []
  const programmes = await forbiddenBetween(db, channelId, first.startsAt, last.endsAt)
  return intervals.map((interval) => forbiddenOf(shownIn(programmes, interval)))
}

function forbiddenOf(programmes: readonly ForbiddenProgramme[]): Forbidden {
  const live = programmes.filter(({ isPastForbidden }) => isPastForbidden)
  return {
    isRecordingForbidden: programmes.some(({ isRecordingForbidden }) => isRecordingForbidden),
    liveUntil: Math.max(0, ...live.map(({ endsAt }) => endsAt)),
  }
}
