import type { Rail, RailItem } from '@ondine/contract/catalogue'

/** A rail with at most this many cards is short. Alone in its line, it would leave most of a wide window empty. */
const SHORT_RAIL = 3

/** Number of covers that fit side by side in a window of 1200 px. */
const COVERS_IN_LINE = 3.45

/**
 * Total width of cards above which the cards fill more than half of the window. Measured in widths of a cover with
 * its gap.
 */
const HALF_A_LINE = 2.2

/**
 * Widths of cards by layout, in widths of a cover. All widths include the gap beside the card. Cards of other
 * layouts are as wide as covers.
 */
const WIDTHS: Partial<Record<Rail['layout'], number>> = { Poster: 0.66, Totem: 0.76, Circle: 0.46 }

/** The fields of a rail that decide in which line it is. */
export type Measured = Pick<Rail, 'layout' | 'items'> & Partial<Pick<Rail, 'kind' | 'failed'>>

/** Rails that are side by side if the window has room, and below each other otherwise. */
export interface RailLine<Of> {
  places: Of[]
  /**
   * `alone`: short rails that leave their line half empty, because no long rail can join them. Their cards grow to
   * fill the line. In a `whole` line, cards have the size of their layout.
   */
  kind: 'whole' | 'alone'
}

/**
 * Returns whether a rail is short. A rail that failed is not short. A rail of articles is not short either, because
 * this code does not know its number of articles.
 */
export function isShort({ kind, items, failed }: Measured): boolean {
  return failed !== true && kind !== 'editorial' && items.length <= SHORT_RAIL
}

/**
 * Returns whether a rail is shown as slides that fill the screen. A rail without titles is never shown as
 * slides.
 */
export function fillsScreen({ layout, items }: Pick<Measured, 'layout' | 'items'>): boolean {
  return (layout === 'Hero' || layout === 'FullScreen') && items.some(isTitle)
}

/** Returns whether an item is a title. Only titles are shown as slides that fill the screen. */
export function isTitle(item: RailItem): item is Extract<RailItem, { type: 'asset' | 'category' }> {
  return item.type === 'asset' || item.type === 'category'
}

/**
 * Puts the rails of a page into lines, in the order of the page. Consecutive short rails share a line as long as their
 * cards fit side by side. If short rails would leave their line half empty, they join the line of the next long rail,
 * or else of the previous one.
 */
export function railLines<Of extends Measured>(rails: readonly Of[]): RailLine<Of>[] {
  const lines: RailLine<Of>[] = []
  const waiting = linesOfShort(rails)
  for (let places = waiting.shift(); places !== undefined; places = waiting.shift()) {
    const before = lines.at(-1)
    const [next] = waiting
    if (!leavesHalfEmpty(places)) lines.push({ places, kind: 'whole' })
    else if (next !== undefined && hasRoomBeside(next)) {
      lines.push({ places: [...places, ...next], kind: 'whole' })
      waiting.shift()
    } else if (before !== undefined && hasRoomBeside(before.places.slice(-1))) {
      lines[lines.length - 1] = { places: [...before.places, ...places], kind: 'whole' }
    } else lines.push({ places, kind: 'alone' })
  }
  return lines
}

/** Puts each rail of a page in a separate line. */
export function linesApart<Of extends Measured>(rails: readonly Of[]): RailLine<Of>[] {
  return rails.map((rail) => ({ places: [rail], kind: leavesHalfEmpty([rail]) ? 'alone' : 'whole' }))
}

/** Groups consecutive short rails as long as their cards fit in a line. Every other rail is alone in its group. */
function linesOfShort<Of extends Measured>(rails: readonly Of[]): Of[][] {
  const lines: Of[][] = []
  let room = 0
  for (const rail of rails) {
    const width = widthOf(rail)
    const shares = sharesLine(rail)
    const line = lines.at(-1)
    if (line !== undefined && shares && width <= room) {
      line.push(rail)
      room -= width
    } else {
      lines.push([rail])
      room = shares ? COVERS_IN_LINE - width : 0
    }
  }
  return lines
}

/** Returns the total width of a rail's cards, in covers. */
function widthOf({ layout, items }: Measured): number {
  return items.length * (WIDTHS[layout] ?? 1)
}

function sharesLine(rail: Measured): boolean {
  return isShort(rail) && !fillsScreen(rail)
}

function leavesHalfEmpty(places: readonly Measured[]): boolean {
  return places.every(sharesLine) && places.reduce((sum, rail) => sum + widthOf(rail), 0) < HALF_A_LINE
}

/**
 * Returns whether a line consists of one long rail. Short rails can join such a line, because the cards of the long
 * rail scroll.
 */
function hasRoomBeside([rail, ...others]: readonly Measured[]): boolean {
  return rail !== undefined && others.length === 0 && rail.items.length > SHORT_RAIL && !fillsScreen(rail)
}
