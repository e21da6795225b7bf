import { expect, test } from 'vitest'
import { scrubFields, scrubText } from './scrub.ts'

test('V8-08 hides the values of fields that may be secret or personal', () => {
  const fields: [string, string][] = [
    ['idAsset', '12'],
    ['languageId', 'fra'],
    ['password', 'Ondine-2026!'],
    ['parentalCode', '2580'],
    ['username', 'a@example.org'],
    ['parentalProof', 'x'],
    ['access_token', 'y'],
    ['searchTerm', 'private matters'],
    ['format', 'z'.repeat(900)],
  ]
  const scrubbed = scrubFields(fields)
  expect(scrubbed).toMatchObject({ idAsset: '12', languageId: 'fra', format: 'z'.repeat(200) })
  for (const name of [
    'password',
    'parentalCode',
    'username',
    'parentalProof',
    'access_token',
    'searchTerm',
  ]) {
    expect(scrubbed[name], name).toBe('[left out]')
  }
})

test.each([
  ['No account for marie.curie+tv@example.org today', 'No account for [left out] today'],
  ['GET https://a.example/play?token=abc&x=1 failed', 'GET https://a.example/play?[left out] failed'],
  ['/play/eyJhbGciOi.J9/manifest.mpd', '/play/[left out]/manifest.mpd'],
  ['Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'Bearer [left out]'],
  ['card 4970101122334455', 'card [left out]'],
  ['rails.map is not a function', 'rails.map is not a function'],
])('V8-08 removes secret and personal parts from a text: %s', (text, scrubbed) => {
  expect(scrubText(text)).toBe(scrubbed)
})
