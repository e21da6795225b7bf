import type { tag as french } from '../fra/tag.ts'

export const tag: typeof french = {
  live: 'Live',
  new: 'New',
  leaving_one: '{{count}} day left',
  leaving_other: '{{count}} days left',
  leavingLabel_one: '{{count}} day left',
  leavingLabel_other: '{{count}} days left',
  rented: 'Rented',
  rentalDays: '{{count}} days left',
  rentalHours_one: '{{count}} hour left',
  rentalHours_other: '{{count}} hours left',
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
