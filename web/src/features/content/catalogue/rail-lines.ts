import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'

/** Rails with at most this many cards are short: such a rail would leave most of a wide window empty. */
export const SHORT_RAIL = 3

/** Number of covers that fit side by side in a window of 1200 px. */
const COVERS_IN_LINE = 3.45

/** This many covers fill more than half of the window. */
const HALF_A_LINE = 2.2

/** Widths of cards with their gap, as multiples of a cover with its gap. */
const WIDTHS: Partial<Record<Rail['layout'], number>> = { Poster: 0.66, Totem: 0.76, Circle: 0.46 }

/** The fields of a rail that decide its line. */
export type Measured = Pick<Rail, 'layout' | 'items'> & Partial<Pick<Rail, 'kind' | 'failed'>>

/** Rails that are side by side if the window has room, and below each other otherwise. */
export interface RailLine<Of> {
  places: Of[]
  /** `alone` marks short rails without a neighbour, whose cards grow. Other cards keep the size of their layout. */
  kind: 'whole' | 'alone'
}

/**
 * Returns whether a rail is short. A failed rail is not short, nor is a rail of articles, because their
 * number is not known here.
 */
export function isShort({ kind, items, failed }: Measured): boolean {
  return failed !== true && kind !== 'editorial' && items.length <= SHORT_RAIL
}

/** Returns whether a rail is shown as slides that fill the screen. A rail of channels never does. */
export function fillsScreen({ layout, items }: Pick<Measured, 'layout' | 'items'>): boolean {
  return (layout === 'Hero' || layout === 'FullScreen') && items.some(isTitle)
}

/** Returns whether an item is a title, which can fill the screen. */
export function isTitle(item: Item): item is Exclude<Item, { type: 'channel' }> {
  return item.type !== 'channel'
}

/**
 * Distributes the rails of a page to lines, in their order. Neighbouring short rails share a line as long as
 * their cards fit side by side. Rails that would leave their line half empty share the line of the next long
 * rail, or else of the previous one.
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

/** Puts each rail of a page in a line of its own. */
export function linesApart<Of extends Measured>(rails: readonly Of[]): RailLine<Of>[] {
  return rails.map((rail) => ({ places: [rail], kind: leavesHalfEmpty([rail]) ? 'alone' : 'whole' }))
}

/** Groups consecutive short rails as far as they fit. Every other rail is a group by itself. */
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

/** Returns whether a line consists of one long rail. Such a rail can share its line, because its cards scroll. */
function hasRoomBeside([rail, ...others]: readonly Measured[]): boolean {
  return rail !== undefined && others.length === 0 && rail.items.length > SHORT_RAIL && !fillsScreen(rail)
}
