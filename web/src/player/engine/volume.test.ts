import { expect, test } from 'vitest'
import { readVolume } from './volume.ts'

const kept = (value: string | null) => readVolume({ getItem: () => value })

test('V9-01 the volume is 100 at first, and then the last stored one', () => {
  expect(kept(null)).toBe(100)
  expect(kept('40')).toBe(40)
  expect(kept('0')).toBe(0)
})

test('an unreadable volume counts as not set', () => {
  for (const value of ['loud', '-5', '101']) expect(kept(value)).toBe(100)
})
