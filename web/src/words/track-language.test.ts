import { expect, test } from 'vitest'
import { trackLanguageName } from './track-language.ts'

test.each([
  ['fr', 'Français'],
  ['eng', 'Anglais'],
  ['zh-Hant', 'Chinois traditionnel'],
  ['pt-BR', 'Portugais brésilien'],
])('V4-57 names the language %j of a track in the language of the reader', (language, name) => {
  expect(trackLanguageName(language, 'fr')).toBe(name)
})

test.each(['', 'a', 'x-', '123', 'en-', '-', 'abcd', 'en-x-commentary', 'sl-rozaj-rozaj'])(
  'V4-57 a track whose language is named %j keeps that name',
  (language) => {
    expect(trackLanguageName(language, 'en').toLowerCase()).toBe(language)
  },
)
