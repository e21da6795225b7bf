import type { tag as french } from '../fra/tag.ts'

export const tag: typeof french = {
  live: 'Live',
  new: 'New',
  leaving: '{{count}}d left',
  leavingLabel_one: '{{count}} day left',
  leavingLabel_other: '{{count}} days left',
  rented: 'Rented',
  rentalDays: '{{count}}d left',
  rentalHours: '{{count}}h left',
  rentalLastHour: 'Last hour',
  rentalDaysLabel: 'Rented, {{count}} days left',
  rentalHoursLabel_one: 'Rented, {{count}} hour left',
  rentalHoursLabel_other: 'Rented, {{count}} hours left',
  rentalLastHourLabel: 'Rented, last hour',
  locked: 'Locked',
  preparing: 'Soon',
  preparingLabel: 'Being prepared',
  failed: 'Unavailable',
  adult: 'For adults only',
}
