import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { metadataSearchPath } from '../../content/catalogue/metadata-search-path.ts'
import { readFilter, readSearchQuery, searchPath, termOf } from './search-address.ts'

describe('the address of a search', () => {
  test.each([
    ['  La Houle ', '/search/la%20houle'],
    ['100%', '/search/100%25'],
    ['a/b?c#d', '/search/a%2Fb%3Fc%23d'],
    ['مرحبا', `/search/${encodeURIComponent('مرحبا')}`],
  ])('V2.1-18 V4-10 for %j is in lower case and trimmed', (words, path) => {
    expect(searchPath(words)).toBe(path)
  })

  test('V2.1-18 keeps any term across a reload', () => {
    const dots = fc.constantFrom('.', '..', '...', ' . ', '../../search/', '%2e', '../x')
    fc.assert(
      fc.property(fc.oneof(dots, fc.string({ unit: 'grapheme', maxLength: 20 })), (words) => {
        const path = searchPath(words)
        if (path === undefined) return
        const { pathname, search, hash } = new URL(path, 'https://ondine.test')
        expect([pathname, search, hash]).toEqual([path, '', ''])
        const term = termOf(decodeURIComponent(pathname.slice('/search/'.length)), {})
        expect(searchPath(term)).toBe(path)
      }),
    )
    expect(searchPath('.')).toBe('/search/.%20')
    expect(termOf('. ', {})).toBe('.')
    expect(metadataSearchPath('AD_LIACTORS', '..')).toBe('/search/..%20?searchBy=AD_LIACTORS')
  })

  test.each(['', '   ', '\t\n'])('V5-01 does not exist for the blank %j', (words) => {
    expect(searchPath(words)).toBeUndefined()
  })

  test('V5-01 contains at most 40 characters', () => {
    expect(searchPath('x'.repeat(60))).toBe(`/search/${'x'.repeat(40)}`)
    expect(termOf('x'.repeat(400), {})).toHaveLength(40)
    expect(termOf('x'.repeat(400), { searchBy: 'AD_LIACTORS' })).toHaveLength(200)
  })

  test('V5-01 is cut between characters', () => {
    expect(searchPath(`${'x'.repeat(39)}😀`)).toBe(`/search/${'x'.repeat(39)}`)
    expect(searchPath('a\ud83db')).toBe('/search/ab')
    expect(termOf(`${'x'.repeat(39)}😀`, {})).toBe('x'.repeat(39))
  })

  test('V2.1-18 contains the metadata key', () => {
    expect(metadataSearchPath('AD_LIACTORS', 'Ada Lorn')).toBe('/search/ada%20lorn?searchBy=AD_LIACTORS')
    expect(readSearchQuery({ searchBy: 'AD_LIACTORS', type: 'movies' })).toEqual({
      searchBy: 'AD_LIACTORS',
      type: 'movies',
    })
  })

  test.each([{ searchBy: 'password' }, { type: 'all' }, { type: 'x' }, { searchBy: ['AD_LIACTORS'] }, {}])(
    'ignores unknown values in %j',
    (query) => {
      expect(readSearchQuery(query)).toEqual({})
    },
  )

  test('contains no control characters', () => {
    expect(termOf('a\u0000b\u0007', {})).toBe('a b')
  })
})

describe('the address of a filtered search', () => {
  test('V2.1-19 contains its conditions', () => {
    expect(readFilter('genre-science-fiction,year-2026')).toEqual({
      AD_LIGENRES: 'science fiction',
      TS_PRODYEAR: '2026',
    })
  })

  test.each([
    '',
    'genre-',
    'drame',
    'colour-red',
    'genre-drame,',
    `genre-${'x'.repeat(300)}`,
    'genre-a\u0000',
    // Every object inherits properties with these names.
    'constructor-x',
    '__proto__-x',
  ])('V2.1-19 %j contains none', (slug) => {
    expect(readFilter(slug)).toBeUndefined()
  })
})
