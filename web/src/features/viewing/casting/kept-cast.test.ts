import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetCast, keepCast, keptCast } from './kept-cast.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  stored.clear()
})

test('A6-05 only the profile that has connected a browser to a screen finds the screen again', () => {
  keepCast('12', 5)
  expect([keptCast(5), keptCast(6), keptCast(undefined)]).toEqual([12, undefined, undefined])
  forgetCast()
  expect(keptCast(5)).toBeUndefined()
})

test.each(['', '12', ' 5', 'x 5', '-1 5', '1.5 5', '0 5'])(
  'V4-51 a stored value of another form is no screen: %j',
  (value) => {
    stored.set('ondine.cast', value)
    expect([keptCast(5), keptCast(undefined)]).toEqual([undefined, undefined])
  },
)
