import { expect, test } from 'vitest'
import { mayReload } from './chunk-failure.ts'

test.each([
  ['never before', 1000, null, true],
  ['a moment ago', 61_000, 60_000, false],
  ['59.999 s ago', 60_000 + 59_999, 60_000, false],
  ['60 s ago', 120_000, 60_000, true],
  ['in the future, by a clock that was set back', 1000, 60_000, true],
])('V8-05 a missing chunk reloads the page when the last reload was %s', (_what, now, last, may) => {
  expect(mayReload(now, last, true)).toBe(may)
  expect(mayReload(now, last, false), 'without a connection').toBe(false)
})
