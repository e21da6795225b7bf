import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'

/** Rails with at most so many cards are short: alone they leave most of a wide window empty. */
export const SHORT_RAIL = 3

/** How many covers stand side by side where a line has the least room of wide windows, at 1200 px. */
const COVERS_IN_LINE = 3.45

/** As many covers fill more than half of the window. */
const HALF_A_LINE = 2.2

/** Widths of cards with the gap beside them, in covers with theirs. */
const WIDTHS: Partial<Record<Rail['layout'], number>> = { Poster: 0.66, Totem: 0.76, Circle: 0.46 }

/** What of a rail decides with which others it stands. */
export type Measured = Pick<Rail, 'layout' | 'items'> & Partial<Pick<Rail, 'kind' | 'failed'>>

/** Rails that stand side by side where the window has room for them, below each other in others. */
export interface RailLine<Of> {
  places: Of[]
  /** `alone`: short rails without a neighbour, whose cards grow. All other cards keep the size of their layout. */
  kind: 'whole' | 'alone'
}

/** Whether a rail is short. One that failed, and articles, whose number is not known here, are not. */
export function isShort({ kind, items, failed }: Measured): boolean {
  return failed !== true && kind !== 'editorial' && items.length <= SHORT_RAIL
}

/** Whether a rail is drawn as slides that fill the screen. Channels are none. */
export function fillsScreen({ layout, items }: Pick<Measured, 'layout' | 'items'>): boolean {
  return (layout === 'Hero' || layout === 'FullScreen') && items.some(isTitle)
}

/** Whether an item is a title, which a screen can be filled with. */
export function isTitle(item: Item): item is Exclude<Item, { type: 'channel' }> {
  return item.type !== 'channel'
}

/**
 * The rails of a page in lines, in their order. Neighbouring short ones share one as long as their cards have room side by side. What
 * would leave half of a line empty stands beside the long rail that follows, or else beside the one before.
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

/** The rails of a page, each in a line of its own. */
export function linesApart<Of extends Measured>(rails: readonly Of[]): RailLine<Of>[] {
  return rails.map((rail) => ({ places: [rail], kind: leavesHalfEmpty([rail]) ? 'alone' : 'whole' }))
}

/** Short rails put together as far as they have room, each other rail by itself. */
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

/** How wide the cards of a rail are together, in covers. */
function widthOf({ layout, items }: Measured): number {
  return items.length * (WIDTHS[layout] ?? 1)
}

function sharesLine(rail: Measured): boolean {
  return isShort(rail) && !fillsScreen(rail)
}

function leavesHalfEmpty(places: readonly Measured[]): boolean {
  return places.every(sharesLine) && places.reduce((sum, rail) => sum + widthOf(rail), 0) < HALF_A_LINE
}

/** Whether a line is one long rail: its cards scroll in any part of the line. */
function hasRoomBeside([rail, ...others]: readonly Measured[]): boolean {
  return rail !== undefined && others.length === 0 && rail.items.length > SHORT_RAIL && !fillsScreen(rail)
}
