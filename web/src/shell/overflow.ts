import { LAYOUT } from '@ondine/contract/constants'

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
 * Divides the menu's entries between the tab bar and the tab "Others". The tab bar has all entries if there are at
 * most 5, and otherwise the first 4 (V2.4-14).
 */
export function tabsOf<Entry>(entries: readonly Entry[]): {
  tabs: readonly Entry[]
  others: readonly Entry[]
} {
  const most = LAYOUT.tabBarEntries
  return entries.length > most
    ? { tabs: entries.slice(0, most - 1), others: entries.slice(most - 1) }
    : { tabs: entries, others: [] }
}
