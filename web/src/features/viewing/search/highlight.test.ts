import { expect, test } from 'vitest'
import { piecesOf } from './highlight.ts'

/** Returns the text with brackets around the marked pieces. */
function shown(text: string, ...wanted: string[]): string {
  return piecesOf(text, wanted)
    .map((piece) => (piece.marked ? `[${piece.text}]` : piece.text))
    .join('')
}

test.each([
  ['La Houle', ['houle'], 'La [Houle]'],
  ['La Houle', ['hou'], 'La [Hou]le'],
  ['Apogée', ['apogee'], '[Apogée]'],
  ['Les Œuvres', ['oeuv'], 'Les [Œuv]res'],
  ['L’été d’Ada', ['ete', 'ada'], 'L’[été] d’[Ada]'],
  ['Cafe\u0301', ['cafe'], '[Cafe\u0301]'],
  ['La Houle', ['zzz'], 'La Houle'],
  ['La Houle', ['h'], 'La Houle'],
  ['La Houle', [], 'La Houle'],
  ['', ['houle'], ''],
  ['مرحبا بالعالم', ['مرحبا'], '[مرحبا] بالعالم'],
  ['<b>Houle</b>', ['houle'], '<b>[Houle]</b>'],
])('in %j marks the matches of %j', (text, wanted, marked) => {
  expect(shown(text, ...wanted)).toBe(marked)
})
