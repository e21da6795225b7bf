import { expect, test } from 'vitest'
import { countIn, queryReader, textIn, textLike } from './read-query.ts'

const read = queryReader({ token: textIn, page: countIn })

test('a query is read name by name, and what no reader is for is left to others', () => {
  expect(read({ token: 'a', page: '2', other: 'b' })).toStrictEqual({ token: 'a', page: 2 })
})

test.each([
  {},
  { token: true, page: 'one' },
  { token: ['a'], page: -1 },
  { token: null, page: 1.5 },
  { token: {}, page: '0x' },
])(
  'what %j does not say in its form stands there as undefined, in the place of what was written',
  (query) => {
    expect({ ...query, ...read(query) }).toStrictEqual({ token: undefined, page: undefined })
  },
)

test('digits alone are a text too', () => {
  expect(textIn(234567)).toBe('234567')
  expect(textLike(234567, /^[\w-]{1,20}$/)).toBe('234567')
  expect(textLike(234567, /^[a-z]+$/)).toBeUndefined()
})

test('a name that every object has is not said by it', () => {
  expect(queryReader({ constructor: textIn, valueOf: textIn })({})).toStrictEqual({
    constructor: undefined,
    valueOf: undefined,
  })
})
