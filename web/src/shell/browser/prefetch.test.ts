import { expect, test } from 'vitest'
import { type Connection, mayPrefetch } from './prefetch.ts'

test.each<[Connection | undefined, boolean]>([
  [undefined, true],
  [{}, true],
  [{ effectiveType: '4g', saveData: false }, true],
  [{ effectiveType: '3g' }, true],
  [{ effectiveType: '2g' }, false],
  [{ effectiveType: 'slow-2g' }, false],
  [{ effectiveType: '4g', saveData: true }, false],
])('V9-13 with the connection %j code may be fetched ahead: %s', (connection, may) => {
  expect(mayPrefetch(connection)).toBe(may)
})
