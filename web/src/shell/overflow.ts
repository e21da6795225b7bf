import { LAYOUT } from '@ondine/contract/constants'

/**
 * Returns how many entries fit into a bar, counted from the first entry (V2.4-04). If not all entries fit, the
 * remaining entries go into "more", which takes room itself.
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
 * Returns the number of columns of a dropdown: one column per 4 entries, at most 3 columns in windows under 1101 pixels
 * and 4 in wider windows (V2.4-05). Further entries lengthen the columns.
 */
export function dropdownColumns(entries: number, windowWidth: number): number {
  const { narrow, wide } = LAYOUT.dropdownColumns
  const most = windowWidth < LAYOUT.dropdownWideFrom ? narrow : wide
  return Math.min(most, Math.max(1, Math.ceil(entries / LAYOUT.dropdownColumnSize)))
}

/**
 * Divides the entries between the tab bar and the tab "Others". If there are more than 5, only the first 4
 * are in the tab bar (V2.4-14).
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
