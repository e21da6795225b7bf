import { moveFocus } from '../spatial/arrows.ts'
import { type Direction, nearest } from '../spatial/nearest.ts'

/**
 * Groups in which arrow keys move between options. A keyboard leaves such a group by the Tab key, but a remote has
 * no Tab key.
 */
const GROUP = '[role="radiogroup"], [role="tablist"], fieldset'
const OPTION = 'label:has(input[type="radio"]), [role="tab"], button[aria-pressed]'

/** Number of the first row below the grid's head, counted from 1. */
const FIRST_ROW = 2

/**
 * Moves the focus out of a group of options or a grid, if the arrow points out of it. Returns false if the focus
 * does not move.
 */
export function leaveGroup(direction: Direction): boolean {
  const here = document.activeElement
  return (isAtEnd(here, direction) || isAtEdge(here, direction)) && moveFocus(direction)
}

/** Returns whether an element is the last option of its group in a direction. */
function isAtEnd(here: Element | null, direction: Direction): boolean {
  const group = here?.closest(GROUP)
  const option = here?.closest(OPTION)
  if (group == null || option == null) return false
  const others = [...group.querySelectorAll(OPTION)].filter((each) => each !== option)
  const boxes = others.map((each) => each.getBoundingClientRect())
  return nearest(option.getBoundingClientRect(), boxes, direction) === -1
}

/** Returns whether an element is in the first or last row of a grid, and the arrow points out of the grid. */
function isAtEdge(here: Element | null, direction: Direction): boolean {
  const row = Number(here?.closest('[role="grid"] tr')?.getAttribute('aria-rowindex') ?? Number.NaN)
  if (direction === 'up') return row === FIRST_ROW
  return direction === 'down' && row === Number(here?.closest('[role="grid"]')?.getAttribute('aria-rowcount'))
}
