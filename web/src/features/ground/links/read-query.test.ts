import { expect, test } from 'vitest'
import { countIn, queryReader, textIn, textLike } from './read-query.ts'

const read = queryReader({ token: textIn, page: countIn })

test('reads a query name by name, and ignores names without a reader', () => {
  expect(read({ token: 'a', page: '2', other: 'b' })).toStrictEqual({ token: 'a', page: 2 })
})

test.each([
  {},
  { token: true, page: 'one' },
  { token: ['a'], page: -1 },
  { token: null, page: 1.5 },
  { token: {}, page: '0x' },
])('%j has undefined in place of each invalid value', (query) => {
  expect({ ...query, ...read(query) }).toStrictEqual({ token: undefined, page: undefined })
})

test('digits alone count as text', () => {
  expect(textIn(234567)).toBe('234567')
  expect(textLike(234567, /^[\w-]{1,20}$/)).toBe('234567')
  expect(textLike(234567, /^[a-z]+$/)).toBeUndefined()
})

test('ignores the inherited names of objects', () => {
  expect(queryReader({ constructor: textIn, valueOf: textIn })({})).toStrictEqual({
    constructor: undefined,
    valueOf: undefined,
  })
})
