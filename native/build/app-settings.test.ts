import { expect, test } from 'vitest'
import { readAppSettings } from './app-settings.ts'

const GOOD = { ONDINE_SERVICE: 'https://tv.example/', ONDINE_IDENTITY_KEY: 'demo' }

test('the settings of an app have the origin of its service', () => {
  expect(readAppSettings(GOOD)).toEqual({
    ONDINE_SERVICE: 'https://tv.example',
    ONDINE_IDENTITY_KEY: 'demo',
    ONDINE_APP_NAME: 'Ondine',
  })
})

test.each([
  [{ ...GOOD, ONDINE_SERVICE: undefined }, 'ONDINE_SERVICE'],
  [{ ...GOOD, ONDINE_SERVICE: 'tv.example' }, 'ONDINE_SERVICE'],
  [{ ...GOOD, ONDINE_SERVICE: 'javascript:alert(1)' }, 'ONDINE_SERVICE'],
  [{ ...GOOD, ONDINE_IDENTITY_KEY: '' }, 'ONDINE_IDENTITY_KEY'],
  [{ ...GOOD, ONDINE_APP_NAME: '' }, 'ONDINE_APP_NAME'],
])('%j is refused, and the wrong variable named', (environment, name) => {
  expect(() => readAppSettings(environment)).toThrow(name)
})
