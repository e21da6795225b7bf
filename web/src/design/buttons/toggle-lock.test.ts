import { expect, test } from 'vitest'
import { ToggleLock } from './toggle-lock.ts'

test('V9-11 accepts a toggle, and the next one only after 300 ms', () => {
  const lock = new ToggleLock()
  expect([0, 1, 299, 300, 450, 599, 600].map((now) => lock.admit(now))).toEqual([
    true,
    false,
    false,
    true,
    false,
    false,
    true,
  ])
})

test('a rejected toggle does not extend the lock', () => {
  const lock = new ToggleLock()
  for (let now = 0; now < 300; now += 50) lock.admit(now)
  expect(lock.admit(300)).toBe(true)
})
