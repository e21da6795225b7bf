import { LAYOUT } from '@ondine/contract/constants'

/**
 * How many of the entries of a bar fit into it, from the first on (V2.4-04). When not all do, the rest moves into
 * "more", which takes room itself.
 *
 * @param widths of the entries, in pixels; `gap` stands between two
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
 * How many columns a dropdown has: one for each 4 entries, at most 3 in windows under 1101 pixels and 4 in wider ones
 * (V2.4-05). Entries beyond that lengthen the columns.
 */
export function dropdownColumns(entries: number, windowWidth: number): number {
  const { narrow, wide } = LAYOUT.dropdownColumns
  const most = windowWidth < LAYOUT.dropdownWideFrom ? narrow : wide
  return Math.min(most, Math.max(1, Math.ceil(entries / LAYOUT.dropdownColumnSize)))
}

/** The tab bar's own entries, and whether the "Others" tab follows them: above 5 entries the first 4 stay (V2.4-14). */
export function tabsOf<Entry>(entries: readonly Entry[]): {
  tabs: readonly Entry[]
  others: readonly Entry[]
} {
  const most = LAYOUT.tabBarEntries
  return entries.length > most
    ? { tabs: entries.slice(0, most - 1), others: entries.slice(most - 1) }
    : { tabs: entries, others: [] }
}
