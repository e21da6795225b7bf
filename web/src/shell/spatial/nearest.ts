/** A direction of a remote's arrows. */
export type Direction = 'left' | 'right' | 'up' | 'down'

/** A rectangle on the screen, in pixels. */
export interface Rectangle {
  left: number
  top: number
  right: number
  bottom: number
}

/** Weight of a sideways distance relative to the distance ahead: an arrow prefers its own direction. */
const ASIDE_WEIGHT = 3

/** Maximum vertical gap between boxes of one line, in px. It keeps left and right from leaving a row of high cards. */
const MOST_ASIDE = 60

/** Boxes may overlap by this much and still count as consecutive, because of borders and raised cards. */
const TOLERANCE = 6

/**
 * Returns the index of the box to which an arrow key moves from `from`: the nearest box in that direction,
 * with preference for the same line; -1 if there is none. To the left and to the right, only boxes on the same line
 * count, unless `anyLine` is set.
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

/**
 * Returns the weighted distance of `to` from `from` in the direction of growing `top`; infinite if it is not
 * in that direction.
 */
function distanceAhead(from: Rectangle, to: Rectangle, mostAside: number): number {
  const isAhead = to.top >= from.bottom - TOLERANCE && to.bottom > from.bottom
  if (!isAhead) return Number.POSITIVE_INFINITY
  const ahead = Math.max(0, to.top - from.bottom)
  const gap = Math.max(0, to.left - from.right, from.left - to.right)
  if (gap > mostAside) return Number.POSITIVE_INFINITY
  // Among boxes on the same line, the box with the closest start is preferred, so that a wide row is entered
  // near the current position.
  const shift = gap === 0 ? Math.abs(to.left - from.left) / 1000 : 0
  return ahead + ASIDE_WEIGHT * gap + shift
}

/** Rotates a box so that `direction` points down. The same rule then serves all four directions. */
function turned({ left, top, right, bottom }: Rectangle, direction: Direction): Rectangle {
  if (direction === 'down') return { left, top, right, bottom }
  if (direction === 'up') return { left, top: -bottom, right, bottom: -top }
  if (direction === 'right') return { left: top, top: left, right: bottom, bottom: right }
  return { left: top, top: -right, right: bottom, bottom: -left }
}
