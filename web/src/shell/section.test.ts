import { expect, test } from 'vitest'
import { resolveAddress } from '../features/ground/links/content-link.ts'
import { isAt, isWithin } from './section.ts'

test.each([
  ['channel-slug', 'live', true],
  ['channel-events-guide-slug', 'live', true],
  ['live-events-guide-slug', 'live', true],
  ['live-zoom', 'live', true],
  ['epg-slug', 'live', false],
  ['channel-slug', 'epg', false],
  ['channel-slug', 'https://example.org/live', false],
] as const)('V2.4-02 on the screen %s the entry %s is marked: %s', (screen, address, marked) => {
  expect(isWithin({ screen, categoryIds: [] }, resolveAddress(address))).toBe(marked)
})

test.each([
  ['vod_category/2/Séries', true],
  ['categories/2', true],
  ['vod_category/1/Films', false],
  ['assets', false],
])('V2.4-02 on the page of a title in category 2 the entry %s is marked: %s', (address, marked) => {
  const section = { screen: 'assets-slug', categoryIds: [2, 50, 52] } as const
  expect(isWithin(section, resolveAddress(address))).toBe(marked)
})

test.each([
  ['epg', 'epg', true],
  ['epg-slug', 'epg', true],
  ['account-favorites', 'account-favorites', true],
  ['category-slug', 'categories/2', false],
  ['live', 'epg', false],
  ['epg', 'https://example.org/epg', false],
] as const)('V2.4-14 on the screen %s the tab over the entry %s is marked: %s', (screen, address, marked) => {
  expect(isAt({ screen, categoryIds: [] }, resolveAddress(address))).toBe(marked)
})
