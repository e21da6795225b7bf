import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { providerError } from './provider-errors.ts'

const fra = bundledWords('fra').t
const eng = bundledWords('eng').t

function refused(code: number): ApiError {
  return new ApiError({ code, status: 400, message: 'From the service' })
}

test.each([
  [-1, 'Informations de connexion invalides'],
  [-3000, 'Informations de connexion invalides'],
  [-440, 'Nombre maximum de sessions simultanées atteint'],
  [-14005, 'Cette offre est incompatible avec votre abonnement actuel'],
])('A8.2-01 provider code %i has the text %s', (code, text) => {
  expect(providerError(refused(code), fra)).toEqual({ field: null, text })
})

test.each([
  [-30, 'name', 'This name already exists'],
  [-1000, 'name', 'This name already exists'],
  [-181, 'addressCountry', 'Invalid country'],
  [-3054, null, 'Limit of profiles reached'],
])('A8.2-02 provider code %i is about %s: %s', (code, field, text) => {
  expect(providerError(refused(code), eng)).toEqual({ field, text })
})

test('A8.2-02 an invalid country has a French text', () => {
  expect(providerError(refused(-181), fra)?.text).toBe('Pays non valide')
})

test.each([
  [-10, /too short/],
  [-11, /do not match/],
  [-12, /isn’t allowed/],
  [-18, /doesn’t meet the requirements/],
  [-19, /must be different from the old one/],
])('A8.2-03 provider code %i is about the password', (code, text) => {
  expect(providerError(refused(code), eng)?.text).toMatch(text)
})

test.each([-2363, -1057, -2])('A8.2-04 provider code %i is unknown', (code) => {
  expect(providerError(refused(code), eng)?.text).toBe('Unknown Error')
})

test('spec 40: a code that the flow does not map keeps the text of its code', () => {
  expect(providerError(refused(-2409), eng)).toBeUndefined()
})
