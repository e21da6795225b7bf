import type { Database } from '../../../database/connection.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import { ratingsBetween } from '../../television/channels/channels.service.ts'

/** Rating of media for which the guide announces no programme. Only the level of the channel applies. */
export const UNANNOUNCED: Rated = { moralityLevel: 0, adult: false }

/** A programme that fills at least this time of an interval counts for the interval's rating, in milliseconds. */
const SUBSTANTIAL_MS = 10_000

/** An interval of a channel, in milliseconds since the Unix epoch. */
export interface RatedInterval {
  startsAt: number
  endsAt: number
}

/**
 * Returns the ratings of intervals of a channel, in order. The rating is the highest level of the programmes that
 * fill a substantial part of the interval, according to the guide. Undefined for an interval without a programme.
 *
 * @param intervals in order of time
 */
export async function ratingsByGuide(
  db: Database,
  channelId: number,
  intervals: readonly RatedInterval[],
): Promise<(Rated | undefined)[]> {
  const [first, last] = [intervals[0], intervals.at(-1)]
  if (!first || !last) return []
  return rateBy(await ratingsBetween(db, channelId, first.startsAt, last.endsAt), intervals)
}

/** Rates intervals by programmes, as {@link ratingsByGuide} does. */
export function rateBy(
  programmes: readonly (Rated & RatedInterval)[],
  intervals: readonly RatedInterval[],
): (Rated | undefined)[] {
  return intervals.map((interval) => {
    const shown = shownIn(programmes, interval)
    if (shown.length === 0) return undefined
    return {
      moralityLevel: Math.max(...shown.map(({ moralityLevel }) => moralityLevel)),
      adult: shown.some(({ adult }) => adult),
    }
  })
}

/** Returns the programmes that fill a substantial part of an interval. */
export function shownIn<Programme extends RatedInterval>(
  programmes: readonly Programme[],
  { startsAt, endsAt }: RatedInterval,
): Programme[] {
  // A segment across the border of two programmes belongs to the programme that fills most of the segment.
  const least = Math.min((endsAt - startsAt) / 2, SUBSTANTIAL_MS)
  return programmes.filter(
    (each) => Math.min(each.endsAt, endsAt) - Math.max(each.startsAt, startsAt) >= least,
  )
}
