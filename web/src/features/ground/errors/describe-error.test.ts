import { ERRORS } from '@ondine/contract/errors'
import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { describeError } from './describe-error.ts'

const LANGUAGES = ['fra', 'eng'] as const

function described(error: unknown, language: (typeof LANGUAGES)[number], exists?: (key: string) => boolean) {
  const { t, exists: known } = bundledWords(language)
  return describeError(error, t, exists ?? ((key) => known(key)))
}

function refused(code: number, message: string, status = 400): ApiError {
  return new ApiError({ code, status, message })
}

test.each(LANGUAGES)('A8.1-01 every code of the closed list has a text, in %s', (language) => {
  const { title } = described(refused(-11, ''), language)
  expect(title).toBe(language === 'fra' ? 'Une erreur est survenue' : 'An error has occurred')
  for (const { code, text } of Object.values(ERRORS)) {
    const { text: told, code: shown } = described(refused(code, text[language]), language)
    expect(shown).toBe(Math.abs(code))
    expect(told).toBe(text[language])
  }
})

test('A8.1-01 texts are keyed by the absolute value, and one of the catalogue takes precedence', () => {
  const { t } = bundledWords('eng')
  const asked: string[] = []
  const told = describeError(refused(-440, 'From the service'), t, (key) => asked.push(key) === 0)
  expect(asked).toEqual(['errors.error440'])
  expect(told).toEqual({ title: 'An error has occurred', text: 'From the service', code: 440 })
  expect(describeError(refused(-503, 'x'), t, () => true).text).toBe(
    'The service isn’t responding. Please try again in a moment.',
  )
})

test('A8.3-06 code 429 asks to slow down', () => {
  const { code, text } = ERRORS.slowDown
  expect(described(refused(code, text.eng, 429), 'eng')).toEqual({
    title: 'Slow down!',
    text: 'Too many connection attempts. Please try later',
    code: 429,
  })
  expect(described(refused(code, text.fra, 429), 'fra')).toMatchObject({ title: 'Doucement !' })
})

test('A8.1-07 a suspended account is told whom to ask', () => {
  const { code, text } = ERRORS.accountSuspended
  expect(described(refused(code, text.fra, 403), 'fra')).toMatchObject({
    text: 'Votre compte est suspendu. Contactez votre fournisseur de services.',
    code: 2409,
  })
})

test.each([
  ['/configuration/demo/data/revisions.json', /^Impossible de lire la configuration du service/],
  ['/crm/account', /^Le service des comptes ne répond pas/],
  ['/oauth/token', /^Le service des comptes ne répond pas/],
  ['/proxy/hierarchy', /^Le service ne répond pas/],
])('A8.3-08 for %s the text names the service that does not answer', (endpoint, text) => {
  const error = new ApiError({ code: 503, status: 503, message: '', endpoint })
  expect(described(error, 'fra').text).toMatch(text)
})

test.each([new TypeError('rails.map is not a function'), 'thrown as a text', undefined])(
  'V2.4-23 a fault of the page has a text and code 500: %s',
  (error) => {
    expect(described(error, 'fra')).toEqual({
      title: 'Une erreur est survenue',
      text: 'Quelque chose n’a pas fonctionné de notre côté. Réessayez, ou revenez à l’accueil.',
      code: 500,
    })
    expect(described(error, 'eng')).toEqual({
      title: 'An error has occurred',
      text: 'Something went wrong on our side. Try again, or go back to home.',
      code: 500,
    })
  },
)

test('A8.3-07 A8.3-08 V8-07 the other texts exist in both languages', () => {
  const { t: fra } = bundledWords('fra')
  const { t: eng } = bundledWords('eng')
  expect(fra('errors.unavailableTitle')).toBe('Contenu indisponible')
  expect(fra('errors.unavailable')).toBe('Désolé, ce contenu n’est actuellement pas disponible.')
  expect(fra('errors.retryText')).toBe('Une erreur est survenue. Voulez-vous réessayer\u00A0?')
  expect(eng('errors.retryText')).toBe('An error has occurred. Would you like to try again?')
  expect(eng('notFound.title')).toBe('Page not found')
  expect(eng('errors.linkExpired')).toMatch(/expired/)
  expect(eng('errors.tokenMissing')).toMatch(/link is missing/)
  expect(eng('errors.loginNotAllowed')).toMatch(/single sign-on/i)
  expect(eng('errors.authenticationFailed')).toMatch(/Sign-in didn’t work/)
  expect(eng('errors.configurationUnreachable')).toMatch(/configuration/)
  expect(eng('errors.crmUnreachable')).toMatch(/account service/)
  expect(eng('errors.noAccountForEmail')).toMatch(/No account/)
  expect(ERRORS.invalidAccessCode.text.eng).toMatch(/access code/)
})
