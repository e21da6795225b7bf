import { configuration } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { dayRange, stepOf } from './range.ts'

const defaults = {
  pageActivation: true,
  timeline: true,
  pastDays: 3,
  futureDays: 7,
  granularity: 'Day',
} as const

test('V9-04 the guide has the configured range, and seven days without the timeline', () => {
  expect(configuration.parse({}).guide.epgGridConfiguration).toEqual(defaults)
  expect(dayRange(defaults)).toEqual({ past: 3, future: 7 })
  expect(dayRange({ ...defaults, pastDays: 0, futureDays: 14 })).toEqual({ past: 0, future: 14 })
  const { past, future } = dayRange({ ...defaults, timeline: false })
  expect(past + 1 + future).toBe(7)
})

test('V9-05 a step is 30 minutes, in the week view 7 days', () => {
  expect(stepOf({ granularity: 'Day' })).toEqual({ count: 30, unit: 'minutes' })
  expect(stepOf({ granularity: 'Week' })).toEqual({ count: 7, unit: 'days' })
})
