import { LAYOUT } from '@ondine/contract/constants'
import type { MenuItem } from './menu.ts'

/**
 * Returns how many entries fit into a bar, counted from the first (V2.4-04). If not all fit, the remaining entries
 * go into "more", which needs space too.
 * @param widths widths of the entries, in pixels; `gap` is the space between two entries
 */
export function fittingEntries(
  widths: readonly number[],
  { available, gap, more }: { available: number; gap: number; more: number },
): number {
  const all = widths.reduce((sum, width) => sum + width, 0) + gap * Math.max(0, widths.length - 1)
  if (all <= available) return widths.length
  let used = more
  let count = 0
  for (const width of widths) {
    used += width + gap
    if (used > available) break
    count += 1
  }
  return count
}

/**
 * Returns the number of columns of a dropdown: one column per 4 entries, but at most 3 in windows narrower than
 * 1101 pixels, and at most 4 in wider windows (V2.4-05). With more entries, the columns become longer.
 */
export function dropdownColumns(entries: number, windowWidth: number): number {
  const { narrow, wide } = LAYOUT.dropdownColumns
  const most = windowWidth < LAYOUT.dropdownWideFrom ? narrow : wide
  return Math.min(most, Math.max(1, Math.ceil(entries / LAYOUT.dropdownColumnSize)))
}

/**
 * Divides the menu's entries between the tab bar and the screen "Others". The tab bar has all entries if there are at
 * most 5, and otherwise the first 4 and the tab "Others" (V2.4-14). An entry with a page and sub-entries also needs the
 * tab "Others": its own tab leads to its page, and only the screen "Others" lists its sub-entries.
 */
export function tabsOf<Entry extends Pick<MenuItem, 'target' | 'children'>>(
  entries: readonly Entry[],
): {
  tabs: readonly Entry[]
  hasOthers: boolean
  /** Entries without a tab. */
  rest: readonly Entry[]
  /** Entries of the screen "Others": those without a tab, and the tabs with sub-entries. */
  others: readonly Entry[]
} {
  const most = LAYOUT.tabBarEntries
  const hasOthers =
    entries.length > most || entries.some(({ target, children }) => target && children.length > 0)
  const count = hasOthers ? most - 1 : most
  const tabs = entries.slice(0, count)
  const rest = entries.slice(count)
  return { tabs, hasOthers, rest, others: [...rest, ...tabs.filter(({ children }) => children.length > 0)] }
}
