import { LAYOUT } from '@ondine/contract/constants'

/**
 * The geometry of a rail, in px along the reading direction. On a right-to-left page, this direction starts at the
 * right.
 */
export interface RailGeometry {
  /** Start of each card, relative to the first card, which starts at 0. */
  starts: readonly number[]
  cardWidth: number
  /** Visible width of the rail, from the gutter (the page's side margin) to the far edge of the window. */
  viewWidth: number
  /** Maximum scroll position. */
  end: number
}

/**
 * A card counts as fully visible if at most this many px are cut off, because scroll positions are not whole
 * numbers.
 */
const TOLERANCE = 2

/** Limits `position` to the scroll range of the rail. At 0, the first card starts at the gutter. */
function resting(position: number, { end }: RailGeometry): number {
  return Math.min(end, Math.max(0, position))
}

/** Returns the scroll position of the next page. The page starts with the first card that is not fully visible. */
export function nextPage(position: number, geometry: RailGeometry): number {
  const edge = position + geometry.viewWidth + TOLERANCE
  const target = geometry.starts.find((start) => start > position && start + geometry.cardWidth > edge)
  return resting(target ?? geometry.end, geometry)
}

/**
 * Returns the scroll position of the previous page. The card before the first visible card becomes the last visible
 * card.
 */
export function previousPage(position: number, geometry: RailGeometry): number {
  const before = geometry.starts.findLast((start) => start < position - TOLERANCE)
  if (before === undefined) return 0
  const from = before + geometry.cardWidth - geometry.viewWidth - TOLERANCE
  const target = geometry.starts.find((start) => start >= from) ?? before
  return resting(Math.min(target, before), geometry)
}

/**
 * Returns the scroll position at which a card is fully visible. If the card is visible already, returns
 * `position`.
 */
export function showCard(index: number, position: number, geometry: RailGeometry): number {
  const start = geometry.starts[index]
  if (start === undefined) return position
  if (start < position) return resting(start, geometry)
  const last = start + geometry.cardWidth - geometry.viewWidth
  if (last <= position + TOLERANCE) return position
  const target = geometry.starts.find((other) => other >= last - TOLERANCE) ?? start
  return resting(target, geometry)
}

/** Returns the scroll position of each page, for a rail that shows its pages as dots. */
export function pageStarts(geometry: RailGeometry): number[] {
  const pages = [0]
  let position = 0
  while (position < geometry.end) {
    const next = nextPage(position, geometry)
    // Prevents an endless loop.
    if (next <= position) break
    pages.push(next)
    position = next
  }
  return pages
}

/**
 * Returns whether a rail has arrow buttons: in windows from 1024 px, and in narrower windows only if the rail
 * shows its pages (V9-09). Touch, wheel and keys work at any width.
 */
export function hasControls(windowWidth: number, pagination: boolean): boolean {
  return pagination || windowWidth >= LAYOUT.sliderEventsFrom
}

/**
 * Returns the progress of a scroll animation `elapsedMs` after its start, from 0 to 1. The animation lasts
 * 600 ms (V9-09) and is slow at both ends.
 */
export function glideShare(elapsedMs: number): number {
  const share = Math.min(1, Math.max(0, elapsedMs / LAYOUT.sliderMs))
  return share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2
}
