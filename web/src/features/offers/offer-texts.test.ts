import { expect, test } from 'vitest'
import { bundledWords } from '../../words/bundled-words.ts'
import { buildOffer, buildPlan } from './offer-builder.ts'
import { durationText } from './offer-texts.ts'

const { t } = bundledWords('eng')
const HOUR = 3600

test.each([
  ['transactional', 48 * HOUR, 49, '48 hours to watch, from the first play'],
  ['transactional', HOUR, 8760, '1 hour to watch, from the first play'],
  ['transactional', 48 * HOUR, 48, 'Watch it for as long as you like'],
  ['transactional', HOUR, 0, 'Watch it for as long as you like'],
  ['transactional', null, 8760, 'Watch it for as long as you like'],
  ['transactional', 71 * HOUR, 8760, '71 hours to watch, from the first play'],
  ['transactional', 72 * HOUR, 8760, '3 days to watch, from the first play'],
  ['transactional', 73 * HOUR, 8760, '73 hours to watch, from the first play'],
  ['transactional', 168 * HOUR, 8760, '7 days to watch, from the first play'],
  ['ppv', 168 * HOUR, 8760, '7 days to watch, from the purchase'],
  ['ppv', 24 * HOUR, 8760, '24 hours to watch, from the purchase'],
  // An event ends by itself.
  ['ppv', null, 8760, undefined],
] as const)('A9-02 a %s of %s seconds below a limit of %d hours: %s', (offerType, rightSlot, limit, text) => {
  expect(durationText(buildOffer({ offerType, rightSlot }), limit, t)).toBe(text)
})

test('A9-02 a subscription has no duration of this kind', () => {
  expect(durationText(buildPlan(), 8760, t)).toBeUndefined()
})
