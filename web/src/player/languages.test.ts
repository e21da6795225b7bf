import { expect, test } from 'vitest'
import { keepChosenLanguages, readChosenLanguages } from './chosen-languages.ts'
import { openingLanguages, sameLanguage } from './languages.ts'

const asset = {
  directMetadata: { AD_LIASMEDI: 'fra/non, fra/eng, eng/non' },
  medias: [{ idMedia: 1, audioLanguages: ['fra', 'eng'], subtitleLanguages: ['eng'] }],
}

test('V4-19 the languages are the first pair of the list', () => {
  expect(openingLanguages(asset)).toEqual({ audio: 'fra', sub: 'non' })
  expect(openingLanguages({ ...asset, directMetadata: { AD_LIASMEDI: 'deu/fra' } })).toEqual({
    audio: 'deu',
    sub: 'fra',
  })
})

test('V4-19 without a readable pair audio is eng and subtitle is non', () => {
  for (const directMetadata of [{}, { AD_LIASMEDI: '' }, { AD_LIASMEDI: 'french' }, { AD_LIASMEDI: 7 }]) {
    expect(openingLanguages({ ...asset, directMetadata: { ...directMetadata } })).toEqual({
      audio: 'eng',
      sub: 'non',
    })
  }
})

test('decision 21: the profile’s last choice wins where the asset has that language', () => {
  expect(openingLanguages(asset, { audio: 'en', sub: 'eng' })).toEqual({ audio: 'eng', sub: 'eng' })
  expect(openingLanguages(asset, { audio: 'deu', sub: 'fra' })).toEqual({ audio: 'fra', sub: 'non' })
})

test('codes of two and of three letters name the same language', () => {
  expect(sameLanguage('fra', 'fr')).toBe(true)
  expect(sameLanguage('en-GB', 'eng')).toBe(true)
  expect(sameLanguage('fra', 'eng')).toBe(false)
  expect(sameLanguage('non', 'non')).toBe(true)
  expect(sameLanguage('', 'fra')).toBe(false)
})

test('a choice is kept for each profile, and what is not readable counts as none', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  keepChosenLanguages(storage, 3, { audio: 'fra', sub: 'non' })
  expect(readChosenLanguages(storage, 3)).toEqual({ audio: 'fra', sub: 'non' })
  expect(readChosenLanguages(storage, 4)).toEqual({})
  kept.set('ondine.languages.4', '<script>/x')
  expect(readChosenLanguages(storage, 4)).toEqual({})
})
