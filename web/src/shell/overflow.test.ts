import { readFileSync } from 'node:fs'
import { LAYOUT } from '@ondine/contract/constants'
import { describe, expect, test } from 'vitest'
import type { MenuItem } from './menu.ts'
import { dropdownColumns, fittingEntries, tabsOf } from './overflow.ts'

describe('V2.4-04 entries that do not fit move into "more"', () => {
  const room = (available: number) => ({ available, gap: 10, more: 50 })
  test.each([
    ['all of them in just enough room', [100, 100, 100], 320, 3],
    ['one pixel less, and two leave for "more"', [100, 100, 100], 319, 2],
    ['only the first', [100, 100, 100], 200, 1],
    ['none at all', [100, 100], 120, 0],
    ['a long entry also moves the entries after it', [60, 400, 20], 300, 1],
    ['no entries, no room needed', [], 0, 0],
  ])('%s', (_what, widths, available, count) => {
    expect(fittingEntries(widths, room(available))).toBe(count)
  })
})

test('V9-07 shows one entry more from each of the widths on before the bar is measured', () => {
  const sheet = readFileSync(new URL('bar/main-menu.module.css', import.meta.url), 'utf8')
  const rules = [
    ...sheet.matchAll(/max-width: (\d+)px\) \{\s*\.menu\[data-measured="false"\].*?n \+ (\d+)\)/g),
  ]
  // At the first width, 800, and below, the narrow layout without a bar applies.
  const steps = LAYOUT.showMore.filter((width) => width > LAYOUT.narrow)
  expect(rules.map(([, width]) => Number(width) + 1)).toEqual(steps)
  expect(rules.map(([, , from]) => Number(from))).toEqual(steps.map((_, index) => index + 4))
})

test.each([
  [1, 1280, 1],
  [4, 1280, 1],
  [5, 1280, 2],
  [12, 1100, 3],
  [13, 1100, 3],
  [13, 1101, 4],
  [40, 1101, 4],
  [0, 1280, 1],
])('V2.4-05 %i entries in a window of %i pixels have %i columns', (entries, width, columns) => {
  expect(dropdownColumns(entries, width)).toBe(columns)
})

test.each([
  [0, 0, 0],
  [5, 5, 0],
  [6, 4, 2],
  [9, 4, 5],
])('V2.4-14 of %i entries %i are in the tab bar and %i under "Others"', (count, tabs, others) => {
  const entries = Array.from({ length: count }, (_, index) => menuEntry(`/${index}`))
  const split = tabsOf(entries)
  expect([split.tabs.length, split.others.length, split.hasOthers]).toEqual([tabs, others, others > 0])
  expect([...split.tabs, ...split.others]).toEqual(entries)
})

test('V2.4-14 the sub-entries of a tab are under "Others", which has a tab unless this tab leads there', () => {
  const page = menuEntry('/live')
  const both = menuEntry('/films', [page])
  const heading = menuEntry(undefined, [page])
  expect(tabsOf([page, heading])).toEqual({
    tabs: [page, heading],
    hasOthers: false,
    rest: [],
    others: [heading],
  })
  expect(tabsOf([both, page])).toEqual({ tabs: [both, page], hasOthers: true, rest: [], others: [both] })
  expect(tabsOf([page, page, page, page, both])).toEqual({
    tabs: [page, page, page, page],
    hasOthers: true,
    rest: [both],
    others: [both],
  })
})

function menuEntry(path: string | undefined, children: MenuItem[] = []): MenuItem {
  const target = path === undefined ? undefined : { kind: 'internal' as const, path }
  return { key: path ?? '', title: 'x', image: '', target, children }
}
