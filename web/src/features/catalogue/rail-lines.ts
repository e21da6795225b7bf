import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'

/** Rails with at most so many cards are short: alone they leave most of a wide window empty. */
export const SHORT_RAIL = 3

/** How many covers stand side by side in a wide window. */
const COVERS_IN_LINE = 4.3

/** Widths of cards, in covers. */
const WIDTHS: Partial<Record<Rail['layout'], number>> = { Poster: 0.63, Totem: 0.73, Circle: 0.44 }

/** How far the cards of short rails grow (`rail.module.css`). */
const POSTER_GROWTH = 1.3
const GROWTH = 1.5

/** What of a rail decides with which others it stands. */
export type Measured = Pick<Rail, 'layout' | 'items'> & Partial<Pick<Rail, 'kind' | 'failed'>>

/** Rails that stand side by side in a wide window, below each other in others. `width` is that of a rail's cards, in covers. */
export interface RailLine<Of> {
  places: { rail: Of; width: number }[]
  /**
   * `whole`: the cards of its short rails grow until they fill the line. `beside`: its short rails stand beside a long one, which
   * takes the rest of the line, with cards of the same size. `alone`: a short rail without a neighbour, whose card grows further.
   */
  kind: 'whole' | 'beside' | 'alone'
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
      lines.push({ places: [...places, ...next], kind: 'beside' })
      waiting.shift()
    } else if (before !== undefined && hasRoomBeside(before.places.slice(-1))) {
      lines[lines.length - 1] = { places: [...before.places, ...places], kind: 'beside' }
    } else lines.push({ places, kind: 'alone' })
  }
  return lines
}

type Places<Of> = RailLine<Of>['places']

function linesOfShort<Of extends Measured>(rails: readonly Of[]): Places<Of>[] {
  const lines: Places<Of>[] = []
  let room = 0
  for (const rail of rails) {
    const width = rail.items.length * (WIDTHS[rail.layout] ?? 1)
    const shares = isShort(rail) && !fillsScreen(rail)
    const line = lines.at(-1)
    if (line !== undefined && shares && width <= room) {
      line.push({ rail, width })
      room -= width
    } else {
      lines.push([{ rail, width }])
      room = shares ? COVERS_IN_LINE - width : 0
    }
  }
  return lines
}

function leavesHalfEmpty(places: Places<Measured>): boolean {
  if (!places.every(({ rail }) => isShort(rail) && !fillsScreen(rail))) return false
  const grown = places.map(({ rail, width }) => width * (rail.layout === 'Poster' ? POSTER_GROWTH : GROWTH))
  return grown.reduce((sum, width) => sum + width, 0) < COVERS_IN_LINE / 2
}

/** Whether a line is one long rail: its cards scroll in any part of the line. */
function hasRoomBeside([first, ...others]: Places<Measured>): boolean {
  return (
    first !== undefined &&
    others.length === 0 &&
    first.rail.items.length > SHORT_RAIL &&
    !fillsScreen(first.rail)
  )
}
