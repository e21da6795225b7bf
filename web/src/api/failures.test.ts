import { expect, test } from 'vitest'
import { FAILURES } from './failures.ts'

test('V8-06 lists the messages of failures without an answer', () => {
  expect(Object.values(FAILURES)).toEqual([
    'No response from API',
    'Offline & No cache found',
    'No cached data found and offline',
    'GraphQL request failed',
  ])
})
