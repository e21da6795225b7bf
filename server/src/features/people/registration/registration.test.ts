import {
  askResetPassword,
  changeDetails,
  createAccount,
  getPasswordPolicy,
  resendAccountActivationEmail,
  resetPassword,
  validateAccount,
} from '@ondine/contract/account-calls'
import { accountDetails, oauthToken } from '@ondine/contract/accounts'
import type { ConfigurationDocument } from '@ondine/contract/configuration'
import type { InputOf } from '@ondine/contract/operation'
import { listProfiles } from '@ondine/contract/profiles'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailsTo, readOutbox, tokenOf } from '../../../../test/emails.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { accountLinks } from '../accounts/account-links.table.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { sweepRegistrations } from './registration-jobs.ts'

const PASSWORD = 'Ondine-2026!'

/** Returns the fields of a registration form. */
function registration(
  email: string,
  changes: Partial<InputOf<typeof createAccount>> = {},
): InputOf<typeof createAccount> {
  return {
    email,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    firstName: 'Éléonore',
    lastName: 'd’Aubigné-SStraße 🐚',
    title: 'Mme.',
    phoneNumber: '0612345678',
    dateofbirth: '1990-02-28',
    language: 'fra',
    allowNews: true,
    acceptTerms: true,
    addressStreet: 'Rue de la Mer',
    addressSecondStreet: '-',
    addressThirdStreet: '-',
    addressNumber: '12 bis',
    addressCity: 'Saint-Malo',
    addressState: '',
    addressZip: '35400',
    addressCountry: 'FR',
    ...changes,
  }
}

describe.each(MAIN_DB)('registering an account, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    service.start()
  })
  afterAll(async () => await service.remove())

  const letters = async (to: string, count = 1) =>
    await emailsTo(service.context.settings.DATA_DIR, to, count)
  const signIn = async (username: string, password = PASSWORD) =>
    await service.call(oauthToken, { username, password, grant_type: 'password' })

  async function configure(document: ConfigurationDocument): Promise<void> {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const { revision } = configurations.stored(id)
    await configurations.document(id).replace(revision, { ...document }, { author: 'test', reason: 'test' })
  }

  it('A7.1-01 A7.1-02 A3-01 A3-02 A3-03 creates an account, activates it by its e-mail, and stores the entered data', async () => {
    const email = 'eleonore@ondine.test'
    expect(await service.call(createAccount, registration(email))).toMatchObject({
      status: 200,
      result: null,
    })
    const early = await signIn(email)
    expect([early.status, early.error.code]).toEqual([403, -2334])

    const letter = (await letters(email)).at(-1)!
    expect(letter.subject).toBe('Activez votre compte Ondine')
    expect(letter.text).toMatch(/^Bonjour,\n/)
    expect(letter.link).toContain('/verify-email?')
    expect((await service.call(validateAccount, { email, token: tokenOf(letter) })).status).toBe(200)

    const { result } = await signIn(email)
    const details = await service.call(accountDetails, {}, { 'x-auth-token': result.access_token })
    expect(details.result).toEqual({
      id: expect.any(Number),
      title: 'Mme.',
      email,
      firstName: 'Éléonore',
      lastName: 'd’Aubigné-SStraße 🐚',
      phoneNumber: '0612345678',
      addressStreet: 'Rue de la Mer',
      addressSecondStreet: '',
      addressThirdStreet: '',
      addressNumber: '12 bis',
      addressCity: 'Saint-Malo',
      addressState: '',
      addressZip: '35400',
      addressCountry: 'FR',
      allowNews: true,
      metadatas: { birthYear: '1990', birthMonth: '2', birthDay: '28' },
      language: 'fra',
      status: 'ACTIVE',
      additionalInformation: { consent_status: '', consent_timestamp: null, consent_version: '' },
      hasPassword: true,
      pendingEmail: null,
    })
    const again = await service.call(validateAccount, { email, token: tokenOf(letter) })
    expect([again.status, again.error.code]).toEqual([410, -410])
  })

  it('A7.1-01 two concurrent registrations create one account and get the same answer', async () => {
    const email = 'impatient@ondine.test'
    const answers = await Promise.all(
      [1, 2, 3].map(async () => await service.call(createAccount, registration(email))),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const made = await service.context.db.select().from(accounts).where(eq(accounts.email, email))
    expect(made).toMatchObject([{ status: 'PENDING_ACTIVATION' }])
  })

  it('stores only the hash of a link', async () => {
    const email = 'hash@ondine.test'
    await service.call(createAccount, registration(email))
    const token = tokenOf((await letters(email)).at(-1)!)
    const stored = JSON.stringify(await service.context.db.select().from(accountLinks))
    expect(stored).not.toContain(token)
  })

  it('writes the e-mail in the language of the account, and escapes the entered data', async () => {
    const email = 'markup@ondine.test'
    await service.call(createAccount, registration(email, { language: 'eng', firstName: '<b>Bob</b>' }))
    const activation = (await letters(email)).at(-1)!
    expect(activation.subject).toBe('Activate your Ondine account')
    await service.call(validateAccount, { token: tokenOf(activation) })
    await service.call(askResetPassword, { email })
    const letter = (await letters(email, 2)).at(-1)!
    expect(letter.html).toContain('Hello &lt;b&gt;Bob&lt;/b&gt;,')
    expect(letter.html).not.toContain('<b>Bob')
    expect(letter.html).toContain('lang="en"')
  })

  it('sends no text of an account to an address that is not confirmed', async () => {
    const [email, later, lure] = [
      'confirmed@ondine.test',
      'victim@ondine.test',
      'Win: https://evil.example/x',
    ]
    await service.call(createAccount, registration(email, { firstName: lure }))
    const activation = (await letters(email)).at(-1)!
    await service.call(validateAccount, { token: tokenOf(activation) })
    const tokens = { 'x-auth-token': (await signIn(email)).result.access_token }
    await service.call(changeDetails, { email: later, currentPassword: PASSWORD }, tokens)
    const confirmation = (await letters(later)).at(-1)!
    for (const letter of [activation, confirmation]) {
      expect(letter.text).toMatch(/^Bonjour,\n/)
      expect(letter.text + letter.html).not.toContain('evil.example')
    }
    expect((await letters(email, 2)).at(-1)?.text).toContain(`Bonjour ${lure},`)
  })

  it('deletes an account that nobody activates, 30 days after its last registration', async () => {
    const names = ['left', 'repeated', 'asked', 'active']
    const addressOf = (name: string) => `${name}@pending.test`
    const began = service.clock.now()
    const afterDays = (days: number) => service.clock.set(began + days * 86_400_000)
    /** Runs the job. @returns the names of the accounts that remain */
    const remaining = async (): Promise<string[]> => {
      await sweepRegistrations(service.context)
      const rows = await service.context.db.select({ email: accounts.email }).from(accounts)
      return names.filter((name) => rows.some(({ email }) => email === addressOf(name)))
    }
    try {
      for (const name of names) await service.call(createAccount, registration(addressOf(name)))
      const [activation] = await letters(addressOf('active'))
      await service.call(validateAccount, { token: tokenOf(activation!) })
      afterDays(10)
      await service.call(createAccount, registration(addressOf('repeated')))
      // The new link is valid for seven days.
      afterDays(29)
      await letters(addressOf('asked'))
      await service.call(resendAccountActivationEmail, { email: addressOf('asked') })
      await letters(addressOf('asked'), 2)
      expect(await remaining()).toEqual(names)
      afterDays(30)
      expect(await remaining()).toEqual(['repeated', 'asked', 'active'])
      afterDays(40)
      expect(await remaining()).toEqual(['active'])
    } finally {
      service.clock.set(began)
    }
  })

  it('answers the same for an address that has an account, and e-mails its holder', async () => {
    const email = 'taken@ondine.test'
    await service.call(createAccount, registration(email))
    await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
    const second = await service.call(
      createAccount,
      registration(email, { password: 'Somebody-Else-1', passwordConfirm: 'Somebody-Else-1' }),
    )
    expect(second).toMatchObject({ status: 200, result: null })
    expect((await letters(email, 2)).at(-1)?.subject).toBe('Vous avez déjà un compte Ondine')
    expect((await signIn(email)).status).toBe(200)
    expect((await signIn(email, 'Somebody-Else-1')).status).toBe(401)
  })

  it('replaces an account that was never activated, and voids its link', async () => {
    const email = 'twice@ondine.test'
    await service.call(createAccount, registration(email))
    const first = (await letters(email)).at(-1)!
    await service.call(createAccount, registration(email, { firstName: 'Zoé' }))
    const second = (await letters(email, 2)).at(-1)!
    expect((await service.call(validateAccount, { token: tokenOf(first) })).status).toBe(410)
    expect((await service.call(validateAccount, { token: tokenOf(second) })).status).toBe(200)
    const tokens = { 'x-auth-token': (await signIn(email)).result.access_token }
    // All data of the first registration must be gone.
    expect((await service.call(listProfiles, {}, tokens)).result).toMatchObject([{ name: 'Zoé' }])
  })

  it('keeps the last link of an address that is registered more often than links are sent', async () => {
    const email = 'often@ondine.test'
    for (let count = 1; count <= 5; count++) {
      await service.call(createAccount, registration(email))
      await letters(email, count)
    }
    const password = 'Another-2026!'
    await service.call(createAccount, { ...registration(email), password, passwordConfirm: password })
    // E-mails are sent in the sequence in which they were queued, so the sixth has been dropped by then.
    await service.call(createAccount, registration('after-often@ondine.test'))
    await letters('after-often@ondine.test')
    const sent = await letters(email)
    expect(sent).toHaveLength(5)
    expect((await service.call(validateAccount, { token: tokenOf(sent.at(-2)!) })).status).toBe(410)
    expect((await service.call(validateAccount, { token: tokenOf(sent.at(-1)!) })).status).toBe(200)
    // The registration of the link counts, not the one without a link.
    expect((await signIn(email)).status).toBe(200)
  })

  it('A7.1-03 sends the link again, and answers the same whether the account exists or not', async () => {
    const email = 'again@ondine.test'
    await service.call(createAccount, registration(email))
    await letters(email)
    const known = await service.call(resendAccountActivationEmail, { email })
    const unknown = await service.call(resendAccountActivationEmail, { email: 'nobody@ondine.test' })
    expect(known).toEqual(unknown)
    const [, second] = await letters(email, 2)
    expect((await service.call(validateAccount, { token: tokenOf(second!) })).status).toBe(200)
    expect(
      (await readOutbox(service.context.settings.DATA_DIR)).some(({ to }) => to === 'nobody@ondine.test'),
    ).toBe(false)
  })

  it('refuses a link after its lifetime', async () => {
    const email = 'late@ondine.test'
    await service.call(createAccount, registration(email))
    const token = tokenOf((await letters(email)).at(-1)!)
    service.clock.advance(7 * 86_400_000 + 1)
    expect((await service.call(validateAccount, { token })).error.code).toBe(-410)
  })

  it('A5-24 gives an account and its profile only a language of the storefront', async () => {
    await configure({ languages: { languages: ['eng'], default: 'eng' } })
    const wrong = await service.call(createAccount, registration('french@ondine.test', { language: 'fra' }))
    expect(wrong.error.details?.fields).toEqual([{ field: 'language', message: 'invalid' }])
    // The call itself is in French, the language of calls that name none.
    const email = 'english@ondine.test'
    await service.call(createAccount, registration(email, { language: '' }))
    await configure({})
    await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
    const tokens = { 'x-auth-token': (await signIn(email)).result.access_token }
    expect((await service.call(accountDetails, {}, tokens)).result.language).toBe('eng')
    expect((await service.call(listProfiles, {}, tokens)).result).toMatchObject([{ language: 'eng' }])
  })

  it.each([
    ['firstName', { firstName: ' ' }, 'requiredField'],
    ['lastName', { lastName: ' ' }, 'requiredField'],
    ['email', { email: 'no address' }, 'invalidEmail'],
    ['email', { email: `${'x'.repeat(250)}@a.fr` }, 'tooLong'],
    ['firstName', { firstName: 'x'.repeat(101) }, 'tooLong'],
    ['firstName', { firstName: 'a\u0000b' }, 'invalid'],
    ['firstName', { firstName: '\u200B' }, 'requiredField'],
    ['lastName', { lastName: 'Aubin\u202E' }, 'invalid'],
    ['addressCity', { addressCity: '\u2066Brest' }, 'invalid'],
    ['email', { email: 'a\u0000b@ondine.test' }, 'invalidEmail'],
    ['email', { email: 'a\u200Bb@ondine.test' }, 'invalidEmail'],
    ['email', { email: 'jean,dupont@orange.fr' }, 'invalidEmail'],
    ['email', { email: 'jean@orange.fr;dupont@orange.fr' }, 'invalidEmail'],
    ['email', { email: 'jean<dupont@orange.fr>' }, 'invalidEmail'],
    ['title', { title: 'Dr' as never }, 'invalid'],
    ['phoneNumber', { phoneNumber: '12' }, 'invalidPhone'],
    ['dateofbirth', { dateofbirth: '1990-02-30' }, 'invalid'],
    ['dateofbirth', { dateofbirth: '90-2-3' }, 'invalid'],
    ['birthdate', { dateofbirth: '2999-01-01' }, 'invalid'],
    ['language', { language: 'xxx' as never }, 'invalid'],
    ['passwordConfirm', { passwordConfirm: 'Ondine-2027!' }, 'passwordsDiffer'],
    ['acceptTerms', { acceptTerms: false }, 'requiredField'],
  ] as const)('A5-11 A5-17 refuses an invalid %s: %j', async (field, changes, message) => {
    const { status, error } = await service.call(createAccount, registration('wrong@ondine.test', changes))
    expect(status).toBe(400)
    expect(error.details?.fields).toContainEqual({ field, message })
  })

  it('A8.2-02 refuses a country that does not exist', async () => {
    for (const addressCountry of ['ZZ', 'fr', 'F1']) {
      const { status, error } = await service.call(
        createAccount,
        registration('wrong@ondine.test', { addressCountry }),
      )
      expect([status, error.code]).toEqual([400, -181])
      expect(error.details?.fields).toEqual([{ field: 'addressCountry', message: 'invalidCountry' }])
    }
  })

  it('A5-12 requires the mandatory fields of the configuration, whether or not its list of fields names them', async () => {
    await configure({
      registration: { fields: ['title', 'phoneNumber'], mandatory: ['phoneNumber', 'addressCity'] },
    })
    const bare = registration('bare@ondine.test', {
      phoneNumber: '',
      addressCity: '',
      title: '',
    })
    const { error } = await service.call(createAccount, bare)
    expect(error.details?.fields).toEqual([
      { field: 'phoneNumber', message: 'requiredField' },
      { field: 'addressCity', message: 'requiredField' },
    ])
    const filled = { ...bare, phoneNumber: '0612345678', addressCity: 'Brest' }
    expect((await service.call(createAccount, filled)).status).toBe(200)
    await configure({})
    const short = registration('short@ondine.test', {
      phoneNumber: '',
      addressCity: '',
      title: '',
    })
    expect((await service.call(createAccount, short)).status).toBe(200)
  })

  it('A5-08 A5-09 A5-10 A7.2-03 checks passwords against the policy, and publishes the policy', async () => {
    const passwordPolicy = {
      minimumCharacters: 10,
      upperCaseEnabled: true,
      numbersEnabled: true,
      alphabeticalEnabled: true,
      specialCharacterEnabled: true,
      specialCharacters: '#!',
    }
    await configure({ registration: { passwordPolicy } })
    expect((await service.call(getPasswordPolicy, {})).result).toEqual(passwordPolicy)
    for (const password of ['Ab1#', 'abcdefgh1#', 'Abcdefghi#', '1234567890#', 'Abcdefghi1']) {
      const refused = await service.call(
        createAccount,
        registration('policy@ondine.test', { password, passwordConfirm: password }),
      )
      expect([refused.status, refused.error.code], password).toEqual([400, -18])
    }
    await configure({})
  })

  it('A2.2-03 creates no account where registration is closed', async () => {
    await configure({ accounts: { isAllowedToRegister: false } })
    const refused = await service.call(createAccount, registration('closed@ondine.test'))
    expect([refused.status, refused.error.code]).toEqual([403, -403])
    await configure({})
  })

  it('A7.1-08 A7.1-09 sets a forgotten password by a link that works once', async () => {
    const email = 'forgot@ondine.test'
    await service.call(createAccount, registration(email))
    await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
    const known = await service.call(askResetPassword, { email: ` ${email.toUpperCase()} ` })
    expect(known).toEqual(await service.call(askResetPassword, { email: 'nobody@ondine.test' }))
    const letter = (await letters(email, 2)).at(-1)!
    expect(letter.link).toContain('/resetPassword?')
    const token = tokenOf(letter)
    const set = async (password: string, passwordConfirm = password) =>
      await service.call(resetPassword, { token, password, passwordConfirm })

    expect((await set('weak')).error.code).toBe(-18)
    expect((await set('Ondine-2027!', 'Ondine-2028!')).error.details?.fields).toEqual([
      { field: 'passwordConfirm', message: 'passwordsDiffer' },
    ])
    expect((await set(PASSWORD)).error.code).toBe(-19)
    // The refused attempts do not use the link.
    expect((await set('Ondine-2027!')).status).toBe(200)
    expect((await set('Ondine-2028!')).error.code).toBe(-410)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, 'Ondine-2027!')).status).toBe(200)
    expect((await letters(email, 3)).at(-1)?.subject).toBe('Votre mot de passe a été modifié')
  })

  it('A7.1-08 sends the activation again to the holder of an account that waits for it', async () => {
    const email = 'forgot-early@ondine.test'
    await service.call(createAccount, registration(email))
    await letters(email)
    const known = await service.call(askResetPassword, { email })
    expect(known).toEqual(await service.call(askResetPassword, { email: 'nobody@ondine.test' }))
    const letter = (await letters(email, 2)).at(-1)!
    expect(letter.subject).toBe('Activez votre compte Ondine')
    expect((await service.call(validateAccount, { token: tokenOf(letter) })).status).toBe(200)
  })

  it('A7.1-01 A7.1-08 tells the holder of an account without a password how to sign in', async () => {
    const email = 'by-provider@ondine.test'
    const { db } = service.context
    await service.call(createAccount, registration(email, { language: 'eng' }))
    await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
    await db.update(accounts).set({ passwordHash: null }).where(eq(accounts.email, email))
    const authentication = { issuer: 'https://id.rive.test', clientId: 'ondine' }
    await configure({ accounts: { authentication } })
    const forgot = await service.call(askResetPassword, { email })
    expect(forgot).toEqual(await service.call(askResetPassword, { email: 'nobody@ondine.test' }))
    const second = (await letters(email, 2)).at(-1)!
    expect(second.subject).toBe('Your Ondine account has no password')
    expect([second.text, second.link]).toEqual([expect.stringContaining('sign in with single sign-on.'), ''])

    await configure({ accounts: { authentication: { ...authentication, providerName: { eng: 'Rive ID' } } } })
    expect(await service.call(createAccount, registration(email))).toMatchObject({
      status: 200,
      result: null,
    })
    expect((await letters(email, 3)).at(-1)?.text).toContain('You sign in with Rive ID.')
    for (let count = 4; count <= 6; count++) {
      await service.call(askResetPassword, { email })
      await letters(email, count)
    }
    // The account has reached its limit of five e-mails per hour. E-mails are sent in the sequence in which they were
    // queued.
    await service.call(askResetPassword, { email })
    await service.call(createAccount, registration('after-provider@ondine.test'))
    await letters('after-provider@ondine.test')
    expect(await letters(email)).toHaveLength(6)
    await configure({})
  })

  it('A7.1-09 refuses a link that was sent to an address which the account no longer has', async () => {
    const [email, later] = ['old-mailbox@ondine.test', 'new-mailbox@ondine.test']
    await service.call(createAccount, registration(email))
    await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
    await service.call(askResetPassword, { email })
    const token = tokenOf((await letters(email, 2)).at(-1)!)
    const { access_token } = (await signIn(email)).result
    const tokens = { 'x-auth-token': access_token }
    await service.call(changeDetails, { email: later, currentPassword: PASSWORD }, tokens)
    await service.call(validateAccount, { token: tokenOf((await letters(later)).at(-1)!) })
    const password = 'Ondine-2027!'
    const answer = await service.call(resetPassword, { token, password, passwordConfirm: password })
    expect(answer.error.code).toBe(-410)
  })

  it('refuses to set a password by an activation link', async () => {
    const email = 'mixed@ondine.test'
    await service.call(createAccount, registration(email))
    const token = tokenOf((await letters(email)).at(-1)!)
    const other = await service.call(resetPassword, {
      token,
      password: 'Ondine-2027!',
      passwordConfirm: 'Ondine-2027!',
    })
    expect(other.error.code).toBe(-410)
    expect((await signIn(email)).error.code).toBe(-2334)
  })

  it('sends an address at most five e-mails per hour', async () => {
    const email = 'flood@ondine.test'
    await service.call(createAccount, registration(email))
    await letters(email)
    for (let count = 2; count <= 5; count++) {
      await service.call(resendAccountActivationEmail, { email })
      await letters(email, count)
    }
    await service.call(resendAccountActivationEmail, { email })
    // E-mails are sent in the sequence in which they were queued. Once the e-mail to `after@ondine.test` has
    // arrived, a sixth e-mail to the first address would have arrived too.
    await service.call(createAccount, registration('after@ondine.test'))
    await letters('after@ondine.test')
    expect(await letters(email)).toHaveLength(5)
  })

  it('A2.2-04 sends no link where another system resets passwords', async () => {
    await configure({ accounts: { resetPassword: { mode: 'disabled', url: '' } } })
    expect((await service.call(askResetPassword, { email: 'a@ondine.test' })).error.code).toBe(-403)
    await configure({})
  })

  it.each(['disabled', 'external-direct', 'external-popup'] as const)(
    'A2.2-04 A7.1-01 with the mode %s, the e-mail to the holder of a known address links to the sign-in page, or names the support if there is no password',
    async (mode) => {
      const email = `known-${mode}@ondine.test`
      await service.call(createAccount, registration(email, { language: 'eng' }))
      await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
      await configure({ accounts: { resetPassword: { mode, url: 'https://id.test/reset' } } })
      try {
        await service.call(createAccount, registration(email))
        const letter = (await letters(email, 2)).at(-1)!
        expect(letter.text).toContain('Sign in with your password.')
        expect(letter.link).toMatch(/\/auth\/login$/)
        expect(letter.text).not.toContain('choose a new')
        const { db } = service.context
        await db.update(accounts).set({ passwordHash: null }).where(eq(accounts.email, email))
        await service.call(createAccount, registration(email))
        const last = (await letters(email, 3)).at(-1)!
        expect([last.text, last.link]).toEqual([expect.stringContaining('contact support.'), ''])
        expect(last.text).not.toContain('Sign in')
      } finally {
        await configure({})
      }
    },
  )

  it('builds no link to a host that the request names', async () => {
    const email = 'host@ondine.test'
    await service.call(createAccount, registration(email))
    await service.call(validateAccount, { token: tokenOf((await letters(email)).at(-1)!) })
    await service.app.inject({
      method: 'POST',
      url: '/proxy/askResetPassword',
      headers: { host: 'evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email }).toString(),
    })
    const link = new URL((await letters(email, 2)).at(-1)!.link)
    expect(link.host).toBe(`localhost:${service.context.settings.PORT}`)
  })
})

describe('repeated attempts behind a proxy', () => {
  it.each<[boolean | string[], string]>([
    // The proxy adds the client's address at the end. The client itself can send the addresses before it.
    [true, '198.51.100.7'],
    [['127.0.0.1', '10.0.0.0/8'], '198.51.100.7, 10.0.0.9'],
  ])('A8.3-06 are counted by the address that the proxies %j report', async (TRUST_PROXY, reported) => {
    const service = await startTestService('embedded', { SIGN_IN_ATTEMPTS: 3, TRUST_PROXY })
    try {
      const codes: number[] = []
      for (let count = 0; count < 4; count++) {
        const headers = { 'x-forwarded-for': `203.0.113.${count}, ${reported}` }
        codes.push((await service.call(askResetPassword, { email: 'c@ondine.test' }, headers)).error.code)
      }
      expect(codes).toEqual([0, 0, 0, -429])
    } finally {
      await service.remove()
    }
  })

  it.each([
    ['addresses of one IPv6 network', ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:1:0:3::']],
    ['an IPv4 address in both forms', ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407']],
  ])('A8.3-06 count %s as one client', async (_of, addresses) => {
    const service = await startTestService('embedded', { SIGN_IN_ATTEMPTS: 3, TRUST_PROXY: true })
    try {
      const attempt = async (address: string) => {
        const headers = { 'x-forwarded-for': address }
        return (await service.call(askResetPassword, { email: 'c@ondine.test' }, headers)).error.code
      }
      for (const address of addresses) expect(await attempt(address)).toBe(0)
      expect(await attempt(addresses[0] ?? '')).toBe(-429)
      // Other clients are not affected.
      for (const other of ['2001:db8:0:2::1', '198.51.100.8', 'unknown']) expect(await attempt(other)).toBe(0)
    } finally {
      await service.remove()
    }
  })
})

describe('repeated attempts', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService('embedded', { SIGN_IN_ATTEMPTS: 3 })
  })
  afterAll(async () => await service.remove())

  it.each([
    ['createAccount', async () => await service.call(createAccount, registration('many@ondine.test'))],
    [
      'resendAccountActivationEmail',
      async () => await service.call(resendAccountActivationEmail, { email: 'b@ondine.test' }),
    ],
    ['askResetPassword', async () => await service.call(askResetPassword, { email: 'c@ondine.test' })],
  ])('A8.3-06 throttles %s for one address', async (_name, attempt) => {
    const codes: number[] = []
    for (let count = 0; count < 4; count++) codes.push((await attempt()).error.code)
    expect(codes).toEqual([0, 0, 0, -429])
  })
})
