import { expect, test } from 'vitest'
import { elapsedShare, liveState } from '../../../design/time/live-state.ts'
import { timeRangeText, timeText } from '../../../words/format.ts'
import { hoursOfDay, startOfDay } from '../days/programme-time.ts'

const MINUTE = 60
const HOUR = 3600

/** The nights in which the clocks in Paris change. `midnight` is the start of the day of the change. */
const NIGHTS = [
  { name: 'back', midnight: Date.UTC(2026, 9, 24, 22) / 1000, hours: 25 },
  { name: 'forward', midnight: Date.UTC(2026, 2, 28, 23) / 1000, hours: 23 },
]
const ZONE = 'Europe/Paris'
const place = { language: 'fra', timeZone: ZONE, dateFormat: 'YYYY-MM-DD' } as const

test.each(NIGHTS)(
  'V3-28 when the clocks go $name, exactly one programme is live at every minute',
  ({ midnight }) => {
    const programmes = Array.from({ length: 8 }, (_, index) => ({
      startutc: midnight + index * 50 * MINUTE,
      endutc: midnight + (index + 1) * 50 * MINUTE,
    }))
    let before = { index: 0, share: -1 }
    for (let now = midnight; now < midnight + 6 * HOUR; now += MINUTE) {
      const live = programmes.flatMap((programme, index) =>
        liveState(programme, now) === 'live' ? [index] : [],
      )
      expect(live).toHaveLength(1)
      const [index = -1] = live
      const share = elapsedShare(programmes[index]!, now)
      // The progress never decreases, and no programme is shown again after the next programme.
      expect(index).toBeGreaterThanOrEqual(before.index)
      if (index === before.index) expect(share).toBeGreaterThan(before.share)
      else expect(share).toBeLessThan(before.share)
      before = { index, share }
    }
  },
)

test.each(NIGHTS)(
  'when the clocks go $name, the day keeps its midnight, and has $hours hours',
  ({ midnight, hours }) => {
    expect(hoursOfDay(midnight, ZONE)).toBe(hours)
    const end = midnight + hours * HOUR
    for (let now = midnight; now < end; now += 10 * MINUTE) expect(startOfDay(now, ZONE)).toBe(midnight)
    expect(startOfDay(end, ZONE)).toBe(end)
    expect(startOfDay(midnight - 1, ZONE)).toBe(midnight - 24 * HOUR)
    expect([timeText(midnight, place), timeText(end, place)]).toEqual(['00:00', '00:00'])
  },
)

test('a programme during the change shows the local times', () => {
  const [back, forward] = NIGHTS.map(({ midnight }) => midnight)
  // From 02:00 to 03:00 are two hours in this night, because the clocks go back from 03:00 to 02:00.
  expect(timeRangeText(back! + 2 * HOUR, back! + 4 * HOUR, place)).toBe('02:00 – 03:00')
  // From 01:30 to 03:30 is one hour in this night, because the clocks go forward from 02:00 to 03:00.
  expect(timeRangeText(forward! + 1.5 * HOUR, forward! + 2.5 * HOUR, place)).toBe('01:30 – 03:30')
})
