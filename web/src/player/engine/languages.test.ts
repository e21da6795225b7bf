import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { keepChosenLanguages, readChosenLanguages } from './chosen-languages.ts'
import { openingLanguages } from './languages.ts'

const { defaultAudio, defaultSubtitle } = DEFAULT_CONFIGURATION.player
const DEFAULTS = { audio: defaultAudio, sub: defaultSubtitle }

const asset = {
  directMetadata: { AD_LIASMEDI: 'fra/non, fra/eng, eng/non' },
  medias: [{ idMedia: 1, audioLanguages: ['fra', 'eng'], subtitleLanguages: ['eng'] }],
}

test('V4-19 opens with the first pair of the list', () => {
  expect(openingLanguages(asset, DEFAULTS)).toEqual({ audio: 'fra', sub: 'non' })
  expect(openingLanguages({ ...asset, directMetadata: { AD_LIASMEDI: 'deu/fra' } }, DEFAULTS)).toEqual({
    audio: 'deu',
    sub: 'fra',
  })
})

test('V4-19 without a readable pair uses eng audio and non subtitles, or the operator’s defaults', () => {
  for (const directMetadata of [{}, { AD_LIASMEDI: '' }, { AD_LIASMEDI: 'french' }, { AD_LIASMEDI: 7 }]) {
    const unlisted = { ...asset, directMetadata: { ...directMetadata } }
    expect(openingLanguages(unlisted, DEFAULTS)).toEqual({ audio: 'eng', sub: 'non' })
    expect(openingLanguages(unlisted, { audio: 'deu', sub: 'fra' })).toEqual({ audio: 'deu', sub: 'fra' })
    const chosen = { audio: 'fra', sub: 'eng' }
    expect(openingLanguages(unlisted, { audio: 'deu', sub: 'fra' }, chosen)).toEqual(chosen)
  }
})

test('spec 21: the profile’s last choice wins where the asset has that language', () => {
  expect(openingLanguages(asset, DEFAULTS, { audio: 'en', sub: 'eng' })).toEqual({ audio: 'eng', sub: 'eng' })
  expect(openingLanguages(asset, DEFAULTS, { audio: 'deu', sub: 'fra' })).toEqual({
    audio: 'fra',
    sub: 'non',
  })
})

test('spec 21: subtitles for the deaf stay chosen, also for a title without the chosen language', () => {
  for (const sub of ['eng', 'deu'])
    expect(openingLanguages(asset, DEFAULTS, { sub, captions: true })).toMatchObject({ captions: true })
})

test('stores a choice for each profile, and ignores unreadable values', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  keepChosenLanguages(storage, 3, { sub: 'non' })
  expect(readChosenLanguages(storage, 3)).toEqual({ sub: 'non' })
  keepChosenLanguages(storage, 3, { audio: 'fra' })
  expect(readChosenLanguages(storage, 3)).toEqual({ audio: 'fra', sub: 'non' })
  keepChosenLanguages(storage, 3, { sub: 'eng', captions: true })
  keepChosenLanguages(storage, 3, { sub: 'non' })
  expect(readChosenLanguages(storage, 3)).toEqual({ audio: 'fra', sub: 'non', captions: true })
  keepChosenLanguages(storage, 3, { sub: 'eng', captions: false })
  expect(readChosenLanguages(storage, 3)).toEqual({ audio: 'fra', sub: 'eng', captions: false })
  expect(readChosenLanguages(storage, 4)).toEqual({})
  kept.set('ondine.languages.4', '<script>/x')
  expect(readChosenLanguages(storage, 4)).toEqual({})
})
