interface Interval {
  startsAt: number
  endsAt: number
}

/** What would lose more than this part of itself is left out: of a film nobody wants the last ten minutes alone. */
const MOST_LOST = 0.5

/**
 * Fits programmes into the gaps that others leave: what lies in a gap stays as it is, what reaches out of it is cut there, and what
 * would lose more than half is left out. A pure function; both lists are in order of time, one at a time.
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
