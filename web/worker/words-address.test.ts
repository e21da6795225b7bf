import { expect, test } from 'vitest'
import { wordsAddressIn } from './words-address.ts'

test('the texts of a page are at the address that its first element names', () => {
  const page =
    '<!DOCTYPE html><html lang="fr" data-words="/translations/demo/fra.0123.json?a=1&amp;b=2"><body data-words="x">'
  expect(wordsAddressIn(page)).toBe('/translations/demo/fra.0123.json?a=1&b=2')
  expect(wordsAddressIn('<!DOCTYPE html><html lang="fr"><body data-words="x">')).toBeUndefined()
})
