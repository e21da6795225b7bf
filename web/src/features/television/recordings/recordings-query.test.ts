import { expect, test, vi } from 'vitest'
import { changesUntil, isOutdated } from './recordings-query.ts'

vi.mock('../../../api/query.ts', () => ({ query: () => ({}) }))

const programme = { startutc: 1000, endutc: 2000 }

test('A4.2-04 the library fetches recordings again when a programme begins, when it ends, and until its result is known', () => {
  const changes = (state: 'planned' | 'recording' | 'recorded' | 'withheld', now: number) =>
    changesUntil([{ ...programme, state }], now)
  expect(changes('planned', 999)).toBe(0)
  expect(changes('planned', 1000)).toBe(1)
  expect(changes('recording', 1999)).toBe(1)
  expect(changes('recording', 2000)).toBe(2)
  expect(changes('recording', 2019)).toBe(2)
  expect(changes('recording', 2020)).toBe(3)
  expect(changes('recording', 2300)).toBe(17)
  // The service stores the result of an ended recording later, and only then says that the recording failed.
  expect(changes('recorded', 2320)).toBe(18)
  expect(changes('recorded', 2600)).toBe(changes('recorded', 90_000))
  expect(changes('withheld', 2300)).toBe(changes('withheld', 80_000))
})

test('recordings that have just been fetched are not fetched again', () => {
  const list = [{ ...programme, state: 'recorded' as const }]
  const changes = changesUntil(list, 2300)
  expect(isOutdated({ list: undefined, changes: 0 }, { list, changes })).toBe(false)
  expect(isOutdated({ list, changes: 1 }, { list, changes: 2 })).toBe(true)
  expect(isOutdated({ list, changes }, { list, changes })).toBe(false)
})
