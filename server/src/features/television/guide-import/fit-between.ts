interface Interval {
  startsAt: number
  endsAt: number
}

/**
 * Maximum share of its length that a programme may lose. A shorter rest, such as the last ten minutes of a film,
 * is of no use to viewers.
 */
const MOST_LOST = 0.5

/**
 * Fits the programmes of `wanted` into the gaps between the programmes of `firm`. A programme that lies in a gap
 * is not changed. A programme that extends beyond a gap is cut. A programme that would lose more than half of its
 * length is omitted. Pure function. Both lists must be in order of time, without overlaps.
 */
export function fitBetween<Programme extends Interval>(
  wanted: readonly Programme[],
  firm: readonly Interval[],
): Programme[] {
  let first = 0
  return wanted.flatMap((programme) => {
    while ((firm[first]?.endsAt ?? Infinity) <= programme.startsAt) first++
    let largest: Interval = { startsAt: programme.startsAt, endsAt: programme.startsAt }
    let at = programme.startsAt
    const offer = (endsAt: number): void => {
      if (endsAt - at > largest.endsAt - largest.startsAt) largest = { startsAt: at, endsAt }
    }
    for (let place = first; at < programme.endsAt; place++) {
      const next = firm[place]
      offer(Math.min(programme.endsAt, next?.startsAt ?? Infinity))
      at = Math.max(at, next?.endsAt ?? Infinity)
    }
    const left = largest.endsAt - largest.startsAt
    return left < (programme.endsAt - programme.startsAt) * (1 - MOST_LOST) || left === 0
      ? []
      : [{ ...programme, ...largest }]
  })
}
