import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { fits, isLow, knownTime, recordingTime, timeLeftText } from './recording-time.ts'

const HOUR_MS = 3600_000
const time = (consumed: number, planned: number) =>
  recordingTime({ available: 40 * HOUR_MS, consumed: consumed * HOUR_MS, planned: planned * HOUR_MS })

test('A6-10 recorded, running and planned programmes reduce the time that is left', () => {
  expect(time(30, 8)).toEqual({ available: 144_000, left: 7200 })
})

test('A6-10 a programme fits if it is not longer than the time that is left', () => {
  expect(fits(time(30, 8), 7200)).toBe(true)
  expect(fits(time(30, 8), 7201)).toBe(false)
})

test('nothing is left when programmes became longer than there is time', () => {
  expect(time(39, 5).left).toBe(0)
  expect(fits(time(39, 5), 1)).toBe(false)
})

test('an account without recording time has none that pages could show', () => {
  expect(knownTime({ npvr: { available: 0, consumed: 0, planned: 0, running: 0 } })).toBeUndefined()
  expect(knownTime(undefined)).toBeUndefined()
  expect(knownTime({ npvr: { available: HOUR_MS, consumed: HOUR_MS, planned: 0, running: 0 } })?.left).toBe(0)
})

test('below a tenth, little is left', () => {
  expect(isLow(time(36, 0))).toBe(false)
  expect(isLow(time(36, 0.1))).toBe(true)
})

test('A6-10 a recording that is continued needs time for the rest of its programme only', () => {
  const t = ((key: string) => key) as unknown as TFunction
  const programme = { startutc: 1000, endutc: 1000 + 3 * 3600 }
  const text = (recordedSeconds: number | undefined) =>
    timeLeftText(
      time(30, 8),
      programme,
      recordedSeconds === undefined ? undefined : { duration: recordedSeconds },
      t,
    )
  expect(text(undefined)).toBe('recordings.noRoom')
  expect(text(3599)).toBe('recordings.noRoomForRest')
  expect(text(3600)).toBe('recordings.left')
})
