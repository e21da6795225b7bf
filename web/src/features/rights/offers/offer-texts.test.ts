import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { buildOffer, buildPlan } from './offer-builder.ts'
import { isSpecial, priceOf, specialText, viewingTimeText } from './offer-texts.ts'

const { t } = bundledWords('eng')
const { t: french } = bundledWords('fra')
const HOUR = 3600
const NOW = Date.UTC(2026, 10, 21, 12) / 1000
const place = { language: 'eng', timeZone: 'Europe/Paris' } as const

test.each([
  ['transactional', 48 * HOUR, 49, '48 hours to watch, from the first play'],
  ['transactional', HOUR, 8760, '1 hour to watch, from the first play'],
  ['transactional', 48 * HOUR, 48, 'Watch it for as long as you like'],
  ['transactional', HOUR, 0, 'Watch it for as long as you like'],
  ['transactional', null, 8760, 'Watch it for as long as you like'],
  ['transactional', 168 * HOUR, 8760, '168 hours to watch, from the first play'],
  ['ppv', 24 * HOUR, 8760, '24 hours to watch, from the purchase'],
  ['ppv', null, 8760, undefined],
] as const)(
  'A9-02 a %s of %s seconds below a limit of %d hours: %s',
  (offerType, rightSlot, limitHours, text) => {
    expect(viewingTimeText(buildOffer({ offerType, rightSlot }), { limitHours, now: NOW, place }, t)).toBe(
      text,
    )
  },
)

test('A9-02 a subscription has no such time, and an event its own', () => {
  const parts = { limitHours: 8760, now: NOW, place }
  expect(viewingTimeText(buildPlan(), parts, t)).toBeUndefined()
  const times = { startAsset: NOW + 31 * HOUR, endAsset: NOW + 33 * HOUR }
  expect(viewingTimeText(buildOffer({ offerType: 'ppv', rightSlot: null, ...times }), parts, t)).toBe(
    'Tomorrow, 20:00 – 22:00',
  )
})

const discount = { active: true, discountedPriceWithVat: '2.99', recurringPercentage: 50, periods: 1 }
const globalPromotion = { discountedPrice: '2.99', discountPeriods: 1, discountDescription: 'Back to school' }

test('A3-31 A3-19 a lower price is shown with the usual one, its duration, and the price after it', () => {
  expect(priceOf(buildPlan({ discount, globalPromotion }), 'eng', t)).toEqual({
    amount: '€2.99',
    before: { amount: '€5.99', label: 'Usual price:' },
    per: 'a month',
    note: 'For the first month, then €5.99',
  })
  const { before, note } = priceOf(buildPlan({ discount: { ...discount, periods: 3 } }), 'fra', french)
  expect(before?.amount).toMatch(/^5,99\s€$/)
  expect(note).toMatch(/^Pendant 3 mois, puis 5,99\s€$/)
})

test('A3-19 a price that is not reduced stands alone', () => {
  expect(priceOf(buildPlan(), 'eng', t)).toMatchObject({ amount: '€5.99', before: undefined, per: 'a month' })
})

test('A3-31 the label of a special offer is the promotion’s text, or the default text', () => {
  expect(isSpecial(buildPlan({ discount, globalPromotion }))).toBe(true)
  expect(specialText(buildPlan({ discount, globalPromotion }), t)).toBe('Back to school')
  const wordless = { ...globalPromotion, discountDescription: '' }
  expect(specialText(buildPlan({ discount, globalPromotion: wordless }), french)).toBe('Offre spéciale')
  expect(specialText(buildPlan({ discount }), t)).toBe('Special offer')
  expect(isSpecial(buildPlan())).toBe(false)
})
