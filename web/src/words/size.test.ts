import { expect, test } from 'vitest'
import { sizeText } from './size.ts'

test('sizes are in megabytes, and in gigabytes from one on', () => {
  // The spaces before units differ between languages.
  const said = (bytes: number, language: 'fra' | 'eng') => sizeText(bytes, language).replaceAll(/\s/g, ' ')
  expect([said(1, 'eng'), said(640_000_000, 'eng'), said(1_240_000_000, 'eng')]).toEqual([
    '1 MB',
    '640 MB',
    '1.2 GB',
  ])
  expect(said(1_240_000_000, 'fra')).toBe('1,2 Go')
})
