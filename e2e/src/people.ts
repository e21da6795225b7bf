import { createAccount, validateAccount } from '@ondine/contract/account-calls'
import { oauthToken } from '@ondine/contract/accounts'
import { encodeInput, fillPath } from '@ondine/contract/encode-input'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { activateProfile, createProfile, deleteProfile, listProfiles } from '@ondine/contract/profiles'
import { emailsTo, tokenOf } from '@ondine/server/test/emails'
import type { Page } from 'playwright-core'
import { signIn } from './browser.ts'
import { call } from './service-calls.ts'
import type { SharedService } from './shared-service.ts'

/** A person with an active account. */
export interface Person {
  email: string
  password: string
  firstName: string
}

/** A password that meets the default rules. */
export const PASSWORD = 'Marée-haute-9'

/** Values of the optional fields, for a person who fills in only the required fields. */
const NOTHING_ELSE = {
  allowNews: false,
  title: '',
  phoneNumber: '',
  dateofbirth: '',
  addressStreet: '',
  addressSecondStreet: '',
  addressThirdStreet: '',
  addressNumber: '',
  addressCity: '',
  addressState: '',
  addressZip: '',
  addressCountry: '',
} as const

let made = 0

/** Returns an unused address. */
export function newAddress(name: string): string {
  made += 1
  return `${name}.${Date.now()}.${made}@journeys.test`
}

/** Registers an account through the API. The account is not activated yet. @returns the token of its e-mail, too */
export async function registerPerson(
  { origin, dataDir }: SharedService,
  firstName: string,
  language: 'fra' | 'eng' = 'fra',
): Promise<Person & { token: string }> {
  const person = { email: newAddress('made'), password: PASSWORD, firstName }
  const { email, password } = person
  await call(origin, createAccount, {
    ...NOTHING_ELSE,
    email,
    password,
    passwordConfirm: password,
    firstName,
    lastName: 'Vidal',
    language,
    acceptTerms: true,
  })
  const [letter] = await emailsTo(dataDir, email, 1)
  if (!letter) throw new Error(`${email} got no e-mail.`)
  return { ...person, token: tokenOf(letter) }
}

/**
 * Makes an account through the API and activates it with its e-mail. The account has no packages, and one profile with
 * the first name.
 */
export async function makePerson(
  service: SharedService,
  firstName: string,
  language: 'fra' | 'eng' = 'fra',
): Promise<Person> {
  const { token, ...person } = await registerPerson(service, firstName, language)
  await call(service.origin, validateAccount, { token })
  return person
}

/**
 * Signs in with the page's sign-in form, in French. If the chooser of profiles opens, keeps the current profile.
 */
export async function signInByForm(page: Page, email: string, password: string): Promise<void> {
  const main = page.getByRole('main')
  await main.getByLabel('Adresse e-mail').fill(email)
  await main.getByLabel('Mot de passe', { exact: true }).fill(password)
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(oauthToken.path) && response.ok()),
    main.getByRole('button', { name: 'Se connecter' }).click(),
  ])
  if ((await callAs(page, listProfiles, {})).length < 2) return
  const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
  await chooser.waitFor()
  await page.keyboard.press('Escape')
  await chooser.waitFor({ state: 'detached' })
}

/** Signs in a page's browser as the demonstration's child, Lou, who may see up to level 2. */
export async function signInAsChild(page: Page): Promise<void> {
  await signIn(page, 'subscriber@ondine.test')
  const child = (await callAs(page, listProfiles, {})).find(({ kidProfile }) => kidProfile)
  if (!child) throw new Error('The demonstration has no child.')
  await callAs(page, activateProfile, { idProfile: child.id })
}

/** Makes a call as the person who is signed in on a page. */
export async function callAs<O extends Operation>(
  page: Page,
  operation: O,
  input: InputOf<O>,
): Promise<OutputOf<O>> {
  const fields = encodeInput({ ...input, languageId: 'fra' })
  const { method, path } = operation
  const isGet = method === 'GET'
  const response = await page.request.fetch(fillPath(path, fields), {
    method,
    headers: { 'x-identity-key': 'demo' },
    ...(isGet ? { params: Object.fromEntries(fields) } : { form: Object.fromEntries(fields) }),
  })
  const answer = (await response.json()) as { status: boolean; result: OutputOf<O> }
  if (!answer.status) throw new Error(`${operation.name} failed: ${JSON.stringify(answer)}`)
  return answer.result
}

/**
 * Runs `work` in a new grown-up's profile without history and preferences. The profile is deleted afterwards.
 *
 * @param level the level above which the profile needs the parental code; 0 for none
 */
export async function inNewProfile(page: Page, work: () => Promise<void>, level = 0): Promise<void> {
  const { id } = await callAs(page, createProfile, {
    name: `Neuf ${Date.now()}`,
    language: 'fra',
    kidProfile: false,
    parentalControl: level > 0,
    maximumMoralityLevel: level,
  })
  try {
    await callAs(page, activateProfile, { idProfile: id })
    await work()
  } finally {
    await callAs(page, deleteProfile, { id })
  }
}
