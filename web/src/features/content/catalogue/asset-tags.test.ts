import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { buildAsset } from './asset-builder.ts'
import { assetTags, daysLeft, eventInterval, isNew, isNewRare, rentalTag } from './asset-tags.ts'

const { t } = bundledWords('fra')
const DAY = 86_400
const NOW = 1_800_000_000

test.each([
  [0, true],
  [14 * DAY, true],
  [14 * DAY + 1, false],
  // Within the hour to which cards round the time down.
  [-1800, true],
  [-3600, false],
])('V3-19 a title that was added %d s ago', (age, recent) => {
  expect(isNew({ validityStartDateTime: NOW - age }, NOW, 14)).toBe(recent)
})

test.each([
  [1, 2, false],
  [1, 3, true],
  [2, 5, false],
  [2, 6, true],
  [0, 1, true],
])('V3-19 %d new titles among %d are marked: at most a third', (fresh, all, stands) => {
  const titles = Array.from({ length: all }, (_, index) => ({
    validityStartDateTime: index < fresh ? NOW - DAY : NOW - 15 * DAY,
  }))
  expect(isNewRare(titles, NOW, 14)).toBe(stands)
})

test.each([
  [3 * DAY, 3],
  [2.5 * DAY, 3],
  [7 * DAY, 7],
  [7 * DAY + 1, undefined],
  [0, 0],
])('V3-20 a title that leaves in %d s', (left, days) => {
  expect(daysLeft({ validityEndDateTime: NOW + left }, NOW, 7)).toBe(days)
})

test('V3-19 V3-20 the numbers of days are configured', () => {
  expect(isNew({ validityStartDateTime: NOW - 3 * DAY }, NOW, 2)).toBe(false)
  expect(isNew({ validityStartDateTime: NOW - 3 * DAY }, NOW, 3)).toBe(true)
  expect(daysLeft({ validityEndDateTime: NOW + 10 * DAY }, NOW, 9)).toBeUndefined()
  expect(daysLeft({ validityEndDateTime: NOW + 10 * DAY }, NOW, 10)).toBe(10)
})

test('V3-20 a title without an end never leaves', () => {
  expect(daysLeft({ validityEndDateTime: null }, NOW, 7)).toBeUndefined()
})

test('a card shows lock, leaving, new or the progress, and only what applies', () => {
  const viewer = {
    now: NOW,
    live: false,
    signedIn: true,
    showNew: true,
    newDays: 14,
    leavingDays: 7,
    rentalLimitHours: 8760,
    prices: undefined,
  }
  const tones = (differences: Parameters<typeof buildAsset>[0], who = viewer) =>
    assetTags(buildAsset({ validityStartDateTime: 0, ...differences }), who, t).map(({ tone }) => tone)
  expect(tones({})).toEqual([])
  expect(tones({ isIncludedInUserOffers: false })).toEqual(['lock'])
  expect(tones({ isIncludedInUserOffers: false }, { ...viewer, signedIn: false })).toEqual([])
  expect(tones({ validityStartDateTime: NOW - DAY })).toEqual(['new'])
  expect(tones({ validityStartDateTime: NOW - DAY }, { ...viewer, showNew: false })).toEqual([])
  expect(tones({ validityStartDateTime: NOW - DAY, validityEndDateTime: NOW + DAY })).toEqual(['leaving'])
  expect(tones({ availability: { state: 'preparing', percent: 3 } })).toEqual(['preparing'])
  expect(tones({}, { ...viewer, live: true })).toEqual(['live'])
})

test.each([
  [{ isIncludedInUserOffers: false, rentalPrice: '3.99' }, ['3,99 €']],
  [{ isIncludedInUserOffers: false, rentalPrice: null }, ['Verrouillé']],
  [{ isIncludedInUserOffers: true, rentalPrice: '3.99' }, []],
  // An episode shows no price, because the price may be for the whole season.
  [
    {
      isIncludedInUserOffers: false,
      rentalPrice: '6.99',
      directMetadata: { AD_SERIESEA: 1, AD_SERIESEP: 2 },
    },
    ['Verrouillé'],
  ],
  [
    { isIncludedInUserOffers: true, rentalPrice: '3.99', rental: { until: null, slotSeconds: null } },
    ['Loué'],
  ],
  [
    {
      isIncludedInUserOffers: false,
      rentalPrice: '3.99',
      availability: { state: 'preparing', percent: 3 } as const,
    },
    ['Bientôt'],
  ],
])('A3-24 the card of %j says %s, and a visitor no lock', (differences, texts) => {
  const asset = buildAsset({ ...differences, validityStartDateTime: 0 })
  const textsFor = (signedIn: boolean, prices: 'fra' | undefined) =>
    assetTags(
      asset,
      {
        now: NOW,
        signedIn,
        showNew: false,
        newDays: 14,
        leavingDays: 7,
        rentalLimitHours: 8760,
        prices,
      },
      t,
    ).map(({ text }) => text.replaceAll(/\s/gu, ' '))
  expect(textsFor(true, 'fra')).toEqual(texts)
  expect(textsFor(false, 'fra')).toEqual(texts.filter((text) => text !== 'Verrouillé'))
  // A storefront that does not sell single titles shows no price on any card.
  expect(textsFor(true, undefined).join()).not.toContain('€')
})

test('V3-15 an event is live between its start and its end; without both times it never is', () => {
  expect(eventInterval(buildAsset())).toBeUndefined()
  expect(eventInterval(buildAsset({ directMetadata: { TS_STARTUTC: 10 } }))).toBeUndefined()
  const event = eventInterval(buildAsset({ directMetadata: { TS_STARTUTC: 10, TS_ENDUTC: 20 } }))
  expect(event).toEqual({ startutc: 10, endutc: 20 })
})

test.each([
  [{ until: NOW + 30 * DAY, slotSeconds: 172_800 }, 'Loué'],
  [{ until: null, slotSeconds: null }, 'Loué'],
  [{ until: NOW + 5 * DAY, slotSeconds: null }, 'Reste 5 j'],
  [{ until: NOW + 6 * DAY - 1, slotSeconds: null }, 'Reste 5 j'],
  [{ until: NOW + 3 * DAY - 1, slotSeconds: null }, 'Reste 71 h'],
  [{ until: NOW + 7200, slotSeconds: null }, 'Reste 2 h'],
  [{ until: NOW + 7199, slotSeconds: null }, 'Reste 1 h'],
  [{ until: NOW + 3600, slotSeconds: null }, 'Reste 1 h'],
  [{ until: NOW + 3599, slotSeconds: null }, 'Dernière heure'],
  [null, undefined],
])('A2.1-27 the card of the rental %j says %s', (rental, text) => {
  expect(rentalTag({ rental }, { now: NOW, limitHours: 8760 }, t)?.text).toBe(text)
})

test('A2.1-27 a rental of 48 hours that has just begun has 48 hours left on a card, which knows the last full hour', () => {
  const rental = { until: NOW + 3599 + 48 * 3600, slotSeconds: null }
  expect(rentalTag({ rental }, { now: NOW, limitHours: 8760 }, t)?.text).toBe('Reste 48 h')
})

test.each([
  [49, 'Reste 48 h'],
  [48, 'Loué'],
  [0, 'Loué'],
])(
  'A9-02 the remaining time of a rental is shown below %d hours, else it counts as unlimited: %s',
  (limitHours, text) => {
    const rental = { until: NOW + 48 * 3600, slotSeconds: null }
    expect(rentalTag({ rental }, { now: NOW, limitHours }, t)?.text).toBe(text)
  },
)
