/** A direction of a remote's arrows. */
export type Direction = 'left' | 'right' | 'up' | 'down'

/** A place on the screen, in pixels. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** How much a step aside weighs against a step ahead: an arrow means its own direction first. */
const ASIDE_WEIGHT = 3

/** Boxes may overlap by this much and still stand one after the other: borders and lifted cards do. */
const TOLERANCE = 6

/**
 * Which of `boxes` an arrow leads to from `from`: the nearest one ahead, those on the same line before those aside.
 * Returns its index, or -1 when nothing lies in that direction.
 */
export function nearest(from: Box, boxes: readonly Box[], direction: Direction): number {
  const start = turned(from, direction)
  // Along a line only what stands on that line follows; to another line anything does, however far aside it begins.
  const isAlong = direction === 'left' || direction === 'right'
  const mostAside = isAlong ? (from.bottom - from.top) / 2 : Number.POSITIVE_INFINITY
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const [index, box] of boxes.entries()) {
    const distance = distanceAhead(start, turned(box, direction), mostAside)
    if (distance < least) {
      least = distance
      best = index
    }
  }
  return best
}

/** How far `to` lies from `from`, seen in the direction of growing `top`; infinite when it does not lie ahead. */
function distanceAhead(from: Box, to: Box, mostAside: number): number {
  const isAhead = to.top >= from.bottom - TOLERANCE && to.bottom > from.bottom
  if (!isAhead) return Number.POSITIVE_INFINITY
  const ahead = Math.max(0, to.top - from.bottom)
  const gap = Math.max(0, to.left - from.right, from.left - to.right)
  if (gap > mostAside) return Number.POSITIVE_INFINITY
  // Among those that share the line, the one whose beginning is closest: a wide row is entered where one comes from.
  const shift = gap === 0 ? Math.abs(to.left - from.left) / 1000 : 0
  return ahead + ASIDE_WEIGHT * gap + shift
}

/** The box turned so that `direction` points down: one rule then serves all four. */
function turned({ left, top, right, bottom }: Box, direction: Direction): Box {
  if (direction === 'down') return { left, top, right, bottom }
  if (direction === 'up') return { left, top: -bottom, right, bottom: -top }
  if (direction === 'right') return { left: top, top: left, right: bottom, bottom: right }
  return { left: top, top: -right, right: bottom, bottom: -left }
}
