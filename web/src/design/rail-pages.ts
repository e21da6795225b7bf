import { LAYOUT } from '@ondine/contract/constants'

/** How a rail lies in its window, in px along its own direction, which begins at the right in a right-to-left page. */
export interface RailGeometry {
  /** Where each card begins, from the edge of the page's content; the first is 0. */
  starts: readonly number[]
  cardWidth: number
  /** Room between the gutter and the far edge. */
  viewWidth: number
  /** How far it can be moved. */
  end: number
}

/** A card counts as shown when no more than this of it is cut off, in px: positions are fractions. */
const TOLERANCE = 2

/** Where a rail rests at `position`: cards begin at the page's gutter, and at its end the last one ends there. */
function resting(position: number, { end }: RailGeometry): number {
  return Math.min(end, Math.max(0, position))
}

/** Where the next page of cards begins: with the first card that is not wholly seen. */
export function nextPage(position: number, geometry: RailGeometry): number {
  const edge = position + geometry.viewWidth + TOLERANCE
  const target = geometry.starts.find((start) => start > position && start + geometry.cardWidth > edge)
  return resting(target ?? geometry.end, geometry)
}

/** Where the previous page begins: so that the card before the first one seen becomes the last one seen. */
export function previousPage(position: number, geometry: RailGeometry): number {
  const before = geometry.starts.findLast((start) => start < position - TOLERANCE)
  if (before === undefined) return 0
  const from = before + geometry.cardWidth - geometry.viewWidth - TOLERANCE
  const target = geometry.starts.find((start) => start >= from) ?? before
  return resting(Math.min(target, before), geometry)
}

/** Where a rail has to be for a card to be seen whole: as it is, when it is seen. */
export function showCard(index: number, position: number, geometry: RailGeometry): number {
  const start = geometry.starts[index]
  if (start === undefined) return position
  if (start < position) return resting(start, geometry)
  const last = start + geometry.cardWidth - geometry.viewWidth
  if (last <= position + TOLERANCE) return position
  const target = geometry.starts.find((other) => other >= last - TOLERANCE) ?? start
  return resting(target, geometry)
}

/** Where each page begins, for a rail that shows its pages. */
export function pageStarts(geometry: RailGeometry): number[] {
  const pages = [0]
  let position = 0
  while (position < geometry.end) {
    const next = nextPage(position, geometry)
    // A card wider than the window: each one is a page.
    if (next <= position) break
    pages.push(next)
    position = next
  }
  return pages
}

/**
 * Whether a rail is moved by its buttons: from 1024 px, below that only if it shows its pages (V9-09). The finger, the
 * wheel and the keys move it at any width.
 */
export function hasControls(windowWidth: number, pagination: boolean): boolean {
  return pagination || windowWidth >= LAYOUT.sliderEventsFrom
}

/** How far a glide has come, from 0 to 1, `elapsedMs` after its start (V9-09: 600 ms); slow at both ends. */
export function glideShare(elapsedMs: number): number {
  const share = Math.min(1, Math.max(0, elapsedMs / LAYOUT.sliderMs))
  return share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2
}
