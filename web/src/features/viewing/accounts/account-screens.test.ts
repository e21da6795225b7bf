// @vitest-environment happy-dom
import { changeAddress, changeDetails, validateAccount } from '@ondine/contract/account-calls'
import { accountDetails, oauthToken, session } from '@ondine/contract/accounts'
import { type ConfigurationDocument, configuration } from '@ondine/contract/configuration'
import { listCountries } from '@ondine/contract/countries'
import type { OutputOf } from '@ondine/contract/operation'
import { adultCode, setAdultCode } from '@ondine/contract/parental-code'
import { beginSignOn, finishSignOn } from '@ondine/contract/sign-on'
import { QueryClient, useQuery } from '@tanstack/react-query'
import { act, createElement, Fragment, type ReactNode, Suspense } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { sessionQuery, useSession } from '../../ground/session/session.ts'
import { inScene } from '../../ground/words/draw-as.tsx'
import { CallbackScreen } from './callback-screen.tsx'
import { InformationsScreen } from './informations-screen.tsx'
import { isConsentOpen, keepConsentOpen } from './open-consent.ts'
import { ParentalCodeScreen } from './parental-code-screen.tsx'
import { ResetScreen } from './reset-screen.tsx'
import { SignInScreen } from './sign-in-screen.tsx'
import { useUnansweredConsent } from './use-unanswered-consent.ts'
import { VerifyScreen } from './verify-screen.tsx'

const isNative = vi.hoisted(() => vi.fn(() => false))

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true }, language: 'fra' }),
}))
vi.mock('../../../api/native.ts', () => ({ isNative, leaveFor: vi.fn() }))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn(async () => undefined) } }))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => bundledWords('fra') }))
vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => 1_795_212_000_000 }))
vi.mock('../../ground/platform/use-platform.ts', async (original) => ({
  ...(await original<object>()),
  isTelevision: () => false,
}))

const HOLDER: OutputOf<typeof accountDetails> = {
  id: 1,
  title: '',
  email: 'subscriber@ondine.test',
  firstName: 'Camille',
  lastName: 'Delmas',
  phoneNumber: '',
  addressStreet: '',
  addressSecondStreet: '',
  addressThirdStreet: '',
  addressNumber: '',
  addressCity: '',
  addressState: '',
  addressZip: '',
  addressCountry: '',
  allowNews: false,
  metadatas: { birthYear: '', birthMonth: '', birthDay: '' },
  language: 'fra',
  status: 'ACTIVE',
  additionalInformation: { consent_status: '', consent_timestamp: null, consent_version: '' },
  hasPassword: true,
  pendingEmail: null,
}

/** The service's refusal of a new address without the password. */
const NO_PASSWORD = new ApiError({
  code: -400,
  status: 400,
  message: 'refused',
  details: { fields: [{ field: 'currentPassword', message: 'requiredField' }] },
})

const DIFFERENT = 'Les mots de passe ne correspondent pas'

/** Answers of the service by operation; a function is called with the input. */
const answers = new Map<unknown, unknown>()
let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  // React warns of updates outside `act`: the answers of the service arrive by themselves.
  vi.spyOn(console, 'error').mockReturnValue()
  vi.mocked(call).mockImplementation(async (operation, input) => {
    const answer = answers.get(operation) ?? null
    return typeof answer === 'function' ? answer(input) : answer
  })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  localStorage.clear()
  answers.clear()
  vi.clearAllMocks()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function show(
  screen: ReactNode,
  {
    isSignedIn = true,
    document: configured = {},
  }: { isSignedIn?: boolean; document?: ConfigurationDocument } = {},
): Promise<void> {
  const storefront = { name: 'Ondine', demonstration: false }
  const viewer = {
    ...(isSignedIn ? SUBSCRIBER : { account: null }),
    profile: null,
    storefront,
    now: 1_795_212_000,
  }
  answers.set(session, viewer)
  const scene = inScene(createElement(Suspense, null, screen), {
    session: viewer,
    configuration: configuration.parse(configured),
    queries: new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } }),
  })
  await act(async () => root.render(scene))
}

const shown = () => (document.body.textContent ?? '').replaceAll(/\s/g, ' ')
const alertText = () => document.querySelector('[role=alert]')?.textContent
const field = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((each) => each.textContent === text)

async function press(text: string): Promise<void> {
  await vi.waitFor(() => expect(button(text)).toBeDefined())
  await act(async () => button(text)?.click())
}

async function type(name: string, text: string): Promise<void> {
  await vi.waitFor(() => expect(field(name)).not.toBeNull())
  const input = field(name)
  // React listens for the events of a value that the prototype's setter has set.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  await act(async () => void input?.dispatchEvent(new Event('input', { bubbles: true })))
}

async function leaveField(name: string): Promise<void> {
  await act(async () => {
    field(name)?.focus()
    field(name)?.blur()
  })
}

/** Sends the form of the screen, and waits until the service has got the call. */
async function submit(operation: unknown): Promise<void> {
  await act(async () => {
    document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    await vi.waitFor(() => expect(sent()).toContain(operation))
  })
}

const sent = () => vi.mocked(call).mock.calls.map(([operation]) => operation)

/** The labels of all buttons. */
const labels = () => [...document.querySelectorAll('button')].map(({ textContent }) => textContent)

/** Shows the sign-in screen, and leaves for the identity provider. @returns the labels of the buttons before */
async function leave(): Promise<string[]> {
  answers.set(beginSignOn, { url: 'https://id.test/in' })
  await show(createElement(SignInScreen, { back: '/' }), { isSignedIn: false, document: WITH_PROVIDER })
  const before = labels()
  await press(before.find((label) => label.startsWith('Continuer avec')) ?? '')
  return before
}

const WITH_PROVIDER = { accounts: { authentication: { issuer: 'https://id.test', clientId: 'ondine' } } }

test('A4.3-01 the native app offers the sign-on again at once, because it stays behind the browser', async () => {
  isNative.mockReturnValueOnce(true)
  const before = await leave()
  expect(sent()).toContain(beginSignOn)
  expect(labels()).toEqual(before)
})

test('A4.3-01 a page from the back/forward cache offers the sign-on again', async () => {
  const before = await leave()
  expect(labels()).not.toEqual(before)
  await act(async () => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
  expect(labels()).toEqual(before)
})

test('A7.4 A8.2-04 a sign-in whose answer has no token fails in words, and the fault is reported', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  answers.set(oauthToken, { access_token: '' })
  await show(createElement(SignInScreen, { back: '/' }), { isSignedIn: false })
  await type('username', 'subscriber@ondine.test')
  await type('password', 'Ondine-2026!')
  await submit(oauthToken)
  await vi.waitFor(() => expect(alertText()).toBe('Erreur inconnue'))
  expect(reported).toHaveBeenCalledExactlyOnceWith(new Error('Failed to login: no accessToken.'))
  expect(button('Se connecter')?.disabled).toBe(false)
})

test('A2.1-02 A7.4 a sign-on whose answer has no token fails in words, and the fault is reported', async () => {
  vi.stubGlobal('location', new URL('https://ondine.test/auth/callback?code=c&state=without-token'))
  answers.set(finishSignOn, { access_token: '', back: '/live' })
  await show(createElement(CallbackScreen), { isSignedIn: false })
  await vi.waitFor(() => expect(shown()).toContain('Erreur inconnue'))
  expect(console.error).toHaveBeenCalledWith(
    'An error of the page',
    new Error('Failed to login: no accessToken.'),
  )
})

test.each([
  ['?a=1#access_token=t&state=fragment', 'fragment'],
  ['?state=query#access_token=t', 'query'],
])(
  'A2.1-02 a sign-on whose token is in the fragment of the address is completed: %s',
  async (answer, state) => {
    vi.stubGlobal('location', new URL(`https://ondine.test/auth/callback${answer}`))
    answers.set(finishSignOn, () => {
      throw new ApiError({ code: -3000, status: 401, message: 'Connexion refusée' })
    })
    await show(createElement(CallbackScreen), { isSignedIn: false })
    await vi.waitFor(() => expect(shown()).toContain('Connexion refusée'))
    expect(call).toHaveBeenCalledWith(finishSignOn, { query: `?access_token=t&state=${state}` })
  },
)

test.each([
  ['/receiver', false],
  ['/live', true],
])('A4.3-03 A4.5-01 %s asks for a consent that a pairing has left open: %s', async (path, isAsked) => {
  vi.stubGlobal('location', new URL(path, 'https://ondine.test'))
  answers.set(accountDetails, HOLDER)
  keepConsentOpen(true)
  onTestFinished(() => keepConsentOpen(false))
  const Page = () => {
    useUnansweredConsent(useSession())
    return null
  }
  const accounts = { isAllowedToRegister: false, consent: { mode: 'each-session' as const } }
  await show(createElement(Page), { document: { accounts } })
  await vi.dynamicImportSettled()
  await vi.waitFor(() => expect(isConsentOpen()).toBe(!isAsked))
  const questions = vi.mocked(modal.open).mock.calls.map(([kind]) => kind)
  expect(questions).toEqual(isAsked ? ['privacyPolicyConsent'] : [])
})

test('A8.2-04 a confirmation of an address that fails on the page says so', async () => {
  answers.set(validateAccount, () => {
    throw new TypeError('x is undefined')
  })
  await show(createElement(VerifyScreen, { token: 'token', email: '', isChange: false }))
  await press('Confirmer mon adresse')
  await vi.waitFor(() => expect(alertText()).toBe('Erreur inconnue'))
  expect(console.error).toHaveBeenCalledWith('An error of the page', new TypeError('x is undefined'))
})

test.each([
  [{ issuer: 'https://id.test', clientId: 'ondine' }, true],
  [{ issuer: 'https://id.test' }, false],
  [{ ssoUrl: 'https://id.test/in' }, false],
  [{ mode: 'sso' as const }, true],
])(
  'A4.3-01 A8.3-07 with the authentication %j, the provider is offered: %s',
  async (authentication, isOffered) => {
    const signIn = createElement(SignInScreen, { back: '/' })
    await show(signIn, { isSignedIn: false, document: { accounts: { authentication } } })
    expect(labels().some((label) => label.startsWith('Continuer avec'))).toBe(isOffered)
  },
)

test('A5-01 A5-03 a repetition of the password is validated again when the password changes', async () => {
  await show(createElement(ResetScreen, { token: 'token' }), { isSignedIn: false })
  await type('password', 'Ondine-2026!')
  await type('passwordConfirm', 'Ondine-2027!')
  await leaveField('passwordConfirm')
  await vi.waitFor(() => expect(shown()).toContain(DIFFERENT))
  await type('password', 'Ondine-2027!')
  await vi.waitFor(() => expect(shown()).not.toContain(DIFFERENT))
  await type('password', 'Ondine-2028!')
  await vi.waitFor(() => expect(shown()).toContain(DIFFERENT))
})

test('A5-01 A5-03 an empty or untouched repetition of the password has no error when the password changes', async () => {
  await show(createElement(ResetScreen, { token: 'token' }), { isSignedIn: false })
  await type('password', 'Ondine')
  await leaveField('password')
  await vi.waitFor(() => expect(field('password')?.getAttribute('aria-invalid')).toBe('true'))
  await type('passwordConfirm', 'Ondine-2027!')
  await type('password', 'Ondine-2026!')
  await vi.waitFor(() => expect(field('password')?.getAttribute('aria-invalid')).toBeNull())
  expect(field('passwordConfirm')?.getAttribute('aria-invalid')).toBeNull()
})

test('A5-18 a code that was set elsewhere is announced, and the form then changes it', async () => {
  let set = false
  answers.set(adultCode, () => ({ set }))
  answers.set(accountDetails, HOLDER)
  answers.set(setAdultCode, () => {
    set = true
    throw new ApiError({ code: -1612, status: 403, message: 'refused' })
  })
  await show(createElement(ParentalCodeScreen))
  await type('code', '1234')
  await type('confirmation', '1234')
  await submit(setAdultCode)
  await vi.waitFor(() => expect(field('current')).not.toBeNull())
  expect(modal.open).toHaveBeenCalledExactlyOnceWith('alert', {
    title: 'Ce compte a déjà un code',
    description: expect.stringContaining('peut-être sur un autre appareil'),
  })
})

test.each([
  [true, '/account/informations'],
  [false, '/auth/login'],
])(
  'A7.1-05 a confirmed new address: signed in %s, the page leads to %s and not to a cart',
  async (isSignedIn, to) => {
    localStorage.setItem('chosen-plan', '[4]')
    const verify = createElement(VerifyScreen, { token: 'token', email: 'new@ondine.test', isChange: true })
    await show(verify, { isSignedIn })
    await press('Confirmer mon adresse')
    await vi.waitFor(() => expect(shown()).toContain('Votre nouvelle adresse est confirmée'))
    // A viewer may sign in at an identity provider, and not with this address.
    expect(shown()).toContain('C’est désormais l’adresse de votre compte.')
    expect(shown()).not.toContain('Bienvenue')
    expect([...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([to])
    expect(sent()).toContain(validateAccount)
  },
)

test('A7.1-05 a confirmed new address is announced before the session arrives', async () => {
  const verify = createElement(VerifyScreen, { token: 'token', email: 'new@ondine.test', isChange: true })
  // As above every screen, a component reads the session.
  const Reader = () => useQuery(sessionQuery) && null
  await show(createElement(Fragment, null, createElement(Reader), verify))
  answers.set(session, () => new Promise(() => {}))
  await press('Confirmer mon adresse')
  await vi.waitFor(() => expect(shown()).toContain('Votre nouvelle adresse est confirmée'))
  expect(sent().filter((operation) => operation === session)).toHaveLength(2)
})

test('A7.1-05 a requested address is shown until it is confirmed, and the next change does not request it again', async () => {
  let holder = HOLDER
  answers.set(accountDetails, () => holder)
  answers.set(changeDetails, () => {
    holder = { ...holder, pendingEmail: 'new@ondine.test' }
    return { pendingEmail: 'new@ondine.test' }
  })
  await show(createElement(InformationsScreen))
  await type('email', 'new@ondine.test')
  await type('currentPassword', 'Ondine-2026!')
  await submit(changeAddress)
  await vi.waitFor(() => expect(shown()).toContain('Un lien de confirmation a été envoyé à new@ondine.test'))
  expect([field('email')?.value, field('currentPassword')]).toEqual(['subscriber@ondine.test', null])
})

test.each([false, true])(
  'A7.1-05 an address that was confirmed in another tab replaces the old one in the open form, edited %s',
  async (isEdited) => {
    let holder = HOLDER
    answers.set(accountDetails, () => holder)
    answers.set(changeDetails, ({ email, currentPassword }: { email?: string; currentPassword?: string }) => {
      if (email !== undefined && email !== holder.email && currentPassword === undefined) throw NO_PASSWORD
      return { pendingEmail: null }
    })
    await show(createElement(InformationsScreen))
    await type('firstName', 'Camélia')
    holder = { ...HOLDER, email: 'new@ondine.test' }
    if (isEdited) {
      await type('email', 'new@ondine.test')
      await type('currentPassword', 'Ondine-2026!')
    }
    await submit(changeAddress)
    await vi.waitFor(() => expect(field('email')?.value).toBe('new@ondine.test'))
    expect([shown().includes('Modifications enregistrées'), field('currentPassword')]).toEqual([true, null])
    expect(field('firstName')?.value).toBe('Camélia')
  },
)

test('A7.1-05 the form asks for a password that the account has got elsewhere', async () => {
  let holder = { ...HOLDER, hasPassword: false }
  answers.set(accountDetails, () => holder)
  answers.set(changeDetails, () => {
    throw NO_PASSWORD
  })
  await show(createElement(InformationsScreen))
  await type('email', 'new@ondine.test')
  holder = HOLDER
  await submit(changeDetails)
  await vi.waitFor(() => expect(field('currentPassword')).not.toBeNull())
  expect(shown()).toContain('Champ obligatoire')
  expect(field('email')?.value).toBe('new@ondine.test')
})

test('a refusal that names only a field that the form does not show is shown below the form', async () => {
  answers.set(accountDetails, HOLDER)
  answers.set(changeDetails, () => {
    const details = { fields: [{ field: 'title', message: 'requiredField' }] }
    throw new ApiError({ code: -400, status: 400, message: 'Saisie incorrecte', details })
  })
  await show(createElement(InformationsScreen))
  await type('firstName', 'Camélia')
  await submit(changeDetails)
  await vi.waitFor(() => expect(alertText()).toBe('Saisie incorrecte'))
})

test('A7.1-05 A7.1-06 a refused postal address hides no requested e-mail address', async () => {
  let holder = HOLDER
  answers.set(accountDetails, () => holder)
  answers.set(changeDetails, () => {
    holder = { ...holder, pendingEmail: 'new@ondine.test' }
    return { pendingEmail: 'new@ondine.test' }
  })
  answers.set(changeAddress, () => {
    throw new ApiError({ code: -429, status: 429, message: 'Trop de tentatives' })
  })
  await show(createElement(InformationsScreen))
  await type('email', 'new@ondine.test')
  await type('currentPassword', 'Ondine-2026!')
  await submit(changeAddress)
  await vi.waitFor(() => expect(shown()).toContain('Un lien de confirmation a été envoyé à new@ondine.test'))
  expect(shown()).toContain('Trop de tentatives')
})

test('A8.2-02 the text for a refused country is at its field', async () => {
  answers.set(accountDetails, { ...HOLDER, addressCountry: 'FR' })
  answers.set(listCountries, [{ code: 'FR', name: 'France' }])
  answers.set(changeDetails, { pendingEmail: null })
  answers.set(changeAddress, () => {
    const details = { fields: [{ field: 'addressCountry', message: 'invalid' }] }
    throw new ApiError({ code: -181, status: 400, message: 'refused', details })
  })
  await show(createElement(InformationsScreen))
  await submit(changeAddress)
  await vi.waitFor(() => expect(shown()).toContain('Pays non valide'))
  expect([alertText(), shown().includes('refused')]).toEqual(['', false])
})

test('A8.2-02 a refused password has its text at its field', async () => {
  answers.set(accountDetails, HOLDER)
  answers.set(changeDetails, () => {
    throw new ApiError({ code: -3000, status: 401, message: 'refused' })
  })
  await show(createElement(InformationsScreen))
  await type('email', 'new@ondine.test')
  await type('currentPassword', 'wrong')
  await submit(changeDetails)
  await vi.waitFor(() => expect(field('currentPassword')?.getAttribute('aria-invalid')).toBe('true'))
  expect([alertText(), shown().includes('Mot de passe actuel incorrect')]).toEqual(['', true])
})

test('A7.1-05 A7.1-06 A8.3-06 a refused change of the details stores no address either', async () => {
  answers.set(accountDetails, HOLDER)
  answers.set(changeDetails, () => {
    throw new ApiError({ code: -429, status: 429, message: 'Trop de tentatives' })
  })
  await show(createElement(InformationsScreen))
  await type('email', 'new@ondine.test')
  await type('currentPassword', 'Ondine-2026!')
  await submit(changeDetails)
  await vi.waitFor(() => expect(alertText()).toBe('Doucement ! Trop de tentatives'))
  expect(sent()).not.toContain(changeAddress)
  expect(field('email')?.value).toBe('new@ondine.test')
})
