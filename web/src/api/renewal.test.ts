import { expect, test } from 'vitest'
import { renewalDelay, renewOnce } from './renewal.ts'

test.each([
  [100_000, 0, 98_200_000],
  [1801, 0, 1000],
  [1800, 0, 0],
  [10, 0, 0],
  [0, 500, 0],
])('A4.4-02 a token that ends at %d is renewed, at %d, in %d ms', (expiresAt, now, delay) => {
  expect(renewalDelay(expiresAt, now)).toBe(delay)
})

test('A4.4-03 many simultaneous calls renew the token once', async () => {
  let asked = 0
  const renew = renewOnce(async () => {
    asked += 1
    await Promise.resolve()
    return true
  })
  expect(await Promise.all([renew(), renew(), renew()])).toEqual([true, true, true])
  expect(asked).toBe(1)
  await renew()
  expect(asked).toBe(2)
})
