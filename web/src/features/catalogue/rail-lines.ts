import type { Rail } from '@ondine/contract/catalogue'

/** Rails with at most so many cards are short: alone they leave most of a wide window empty. */
export const SHORT_RAIL = 3

/** How many covers stand side by side in a wide window. */
const COVERS_IN_LINE = 4.3

/** Widths of cards, in covers. */
const WIDTHS: Partial<Record<Rail['layout'], number>> = { Poster: 0.63, Totem: 0.73, Circle: 0.44 }

type Measured = Pick<Rail, 'kind' | 'layout' | 'items' | 'failed'>

/** Rails that stand side by side in a wide window, below each other in others. `width` is that of a rail's cards, in covers. */
export type RailLine<Of> = { rail: Of; width: number }[]

/** Whether a rail is short. One that failed, and articles, whose number is not known here, are not. */
export function isShort({ kind, items, failed }: Measured): boolean {
  return !failed && kind !== 'editorial' && items.length <= SHORT_RAIL
}

/** The rails of a page in lines: neighbouring short ones share one as long as their cards have room side by side. */
export function railLines<Of extends Measured>(rails: readonly Of[]): RailLine<Of>[] {
  const lines: RailLine<Of>[] = []
  let room = 0
  for (const rail of rails) {
    const width = rail.items.length * (WIDTHS[rail.layout] ?? 1)
    const line = lines.at(-1)
    if (line !== undefined && isShort(rail) && width <= room) {
      line.push({ rail, width })
      room -= width
    } else {
      lines.push([{ rail, width }])
      room = isShort(rail) ? COVERS_IN_LINE - width : 0
    }
  }
  return lines
}
