/** A direction of a remote's arrows. */
export type Direction = 'left' | 'right' | 'up' | 'down'

/** A rectangle on the screen, in pixels. */
export interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Weight of the distance across the arrow's direction, relative to the distance along it. So an arrow prefers
 * elements straight ahead.
 */
const ASIDE_WEIGHT = 3

/**
 * Maximum vertical gap between two boxes of the same line, in px. The limit keeps left and right within a row of
 * high cards.
 */
const MOST_ASIDE = 60

/** Overlap in px up to which two boxes still count as consecutive, because of borders and raised cards. */
const TOLERANCE = 6

/**
 * Returns the index of the box to which an arrow key moves the focus from `from`; -1 if there is none. This is the
 * nearest box in that direction, and a box on the same line has precedence. For left and right, only boxes on the
 * same line count, unless `anyLine` is set.
 */
export function nearest(
  from: Rectangle,
  boxes: readonly Rectangle[],
  direction: Direction,
  anyLine = false,
): number {
  const start = turned(from, direction)
  const isAlong = (direction === 'left' || direction === 'right') && !anyLine
  const mostAside = isAlong ? Math.min((from.bottom - from.top) / 2, MOST_ASIDE) : Number.POSITIVE_INFINITY
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

/** Returns the weighted distance from `from` down to `to`; infinite if `to` is not below `from`. */
function distanceAhead(from: Rectangle, to: Rectangle, mostAside: number): number {
  const isAhead = to.top >= from.bottom - TOLERANCE && to.bottom > from.bottom
  if (!isAhead) return Number.POSITIVE_INFINITY
  const ahead = Math.max(0, to.top - from.bottom)
  const gap = Math.max(0, to.left - from.right, from.left - to.right)
  if (gap > mostAside) return Number.POSITIVE_INFINITY
  // Among boxes on the same line, prefers the box whose start is closest. Moving down into a wide row then stays
  // near the current position.
  const shift = gap === 0 ? Math.abs(to.left - from.left) / 1000 : 0
  return ahead + ASIDE_WEIGHT * gap + shift
}

/** Rotates a box so that `direction` points down. The same rule then applies to all four directions. */
function turned({ left, top, right, bottom }: Rectangle, direction: Direction): Rectangle {
  if (direction === 'down') return { left, top, right, bottom }
  if (direction === 'up') return { left, top: -bottom, right, bottom: -top }
  if (direction === 'right') return { left: top, top: left, right: bottom, bottom: right }
  return { left: top, top: -right, right: bottom, bottom: -left }
}
