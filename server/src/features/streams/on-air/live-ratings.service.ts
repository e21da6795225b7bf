import type { Database } from '../../../database/connection.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import { ratingsBetween } from '../../television/channels/channels.service.ts'

/** Rating of media during which the guide announces no programme: only the level of the channel counts. */
export const UNANNOUNCED: Rated = { moralityLevel: 0, adult: false }

/** A programme that fills this much of an interval decides its rating, in milliseconds. */
const SUBSTANTIAL_MS = 10_000

/** An interval of a channel, in milliseconds since the Unix epoch. */
export interface RatedInterval {
  startsAt: number
  endsAt: number
}

/**
 * Returns the ratings of intervals of a channel, in order: the highest level of the programmes that the guide announces
 * for a substantial part of their time. Undefined for an interval without a programme.
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
  // A segment across the border of two programmes belongs to the one that fills most of it.
  const least = Math.min((endsAt - startsAt) / 2, SUBSTANTIAL_MS)
  return programmes.filter(
    (each) => Math.min(each.endsAt, endsAt) - Math.max(each.startsAt, startsAt) >= least,
  )
}
