import {
  anonymizeMe,
  askResetPassword,
  changeAddress,
  changeDetails,
  createAccount,
  getPasswordPolicy,
  loginDevice,
  resendAccountActivationEmail,
  resetPassword,
  updatePassword,
  validateAccount,
} from '@ondine/contract/account-calls'
import { accountDetails, logout, oauthToken, session, TOKEN_EXCHANGE } from '@ondine/contract/accounts'
import { listCountries } from '@ondine/contract/countries'
import { beginSignOn, finishSignOn } from '@ondine/contract/sign-on'
import { type LinkPurpose, makeLink } from '../../src/features/people/accounts/account-links.service.ts'
import { NOON } from '../service.ts'
import { type Case, configured, type Fields, type Given, type Row, row, type Scene } from './answers.ts'

/** Password of every account in tests. */
const PASSWORD = 'Ondine-2026!'
const twice = (password: string) => ({ password, passwordConfirm: password })
const NEW = twice('Ondine-2027!')
const WEAK = twice('short')
const SAME = twice(PASSWORD)

const REGISTRATION = {
  ...NEW,
  email: 'zoe@ondine.test',
  firstName: 'Zoé',
  lastName: 'Aubin',
  phoneNumber: '0612345678',
  language: 'fra',
  acceptTerms: '1',
  addressCity: 'Brest',
  addressCountry: 'FR',
}

const noReset = configured({ 'accounts.resetPassword.mode': 'disabled' })

/** Returns the case of a call whose `token` is from the link of an e-mail to the actor. */
function linked(purpose: LinkPurpose, fields: Fields = {}): Case {
  return {
    given: async ({ service, actor }) => {
      const link = { accountId: actor.account.id, purpose, email: 'moved@ondine.test' }
      return { fields: { ...fields, token: (await makeLink(service.context.db, link, NOON)) ?? '' } }
    },
  }
}

const asActor: Given = async ({ actor }) => ({ tokens: actor.tokens })

const PROVIDED = 'accounts.authentication'

/**
 * Starts a sign-on, up to the moment when the browser goes to the provider.
 *
 * @returns the browser's cookies, and the provider's address
 */
async function left({ service, client, configure, provider }: Scene) {
  await configure({ [`${PROVIDED}.issuer`]: provider.issuer, [`${PROVIDED}.clientId`]: 'ondine' })
  const answer = await service.app.inject({ method: 'POST', url: beginSignOn.path, headers: client })
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return {
    tokens: { cookie, 'x-identity-key': service.context.storefronts.first().apiKey },
    url: String(answer.json().result?.url),
  }
}

/** Settings of a provider that does not answer. */
const SILENT = { [`${PROVIDED}.issuer`]: 'http://127.0.0.1:9', [`${PROVIDED}.clientId`]: 'ondine' }

const FORGED = { query: '?code=forged' }
const EXCHANGE = { grant_type: TOKEN_EXCHANGE, subject_token: 'made-up' }

export const ACCOUNT_ROWS: readonly Row[] = [
  // An address that is taken causes no error. Its holder gets an e-mail instead (docs/decisions/0020).
  row(
    createAccount,
    { fields: REGISTRATION },
    {
      invalidInput: { fields: { ...REGISTRATION, acceptTerms: '0' } },
      newPasswordPolicy: { fields: { ...REGISTRATION, ...WEAK } },
      countryInvalid: { fields: { ...REGISTRATION, addressCountry: 'XX' } },
      forbidden: { fields: REGISTRATION, given: configured({ 'accounts.isAllowedToRegister': false }) },
      slowDown: { fields: REGISTRATION, times: 5, each: (turn) => ({ email: `new-${turn}@ondine.test` }) },
    },
  ),
  row(validateAccount, linked('activation'), {
    invalidInput: { fields: { token: '' } },
    linkExpired: { fields: { token: 'forged' } },
    usernameTaken: {
      given: async ({ service, actor, make }) => {
        const { email } = (await make.actor()).account
        const link = { accountId: actor.account.id, purpose: 'email' as const, email }
        return { fields: { token: (await makeLink(service.context.db, link, NOON)) ?? '' } }
      },
    },
    slowDown: { fields: { token: 'forged' }, times: 5 },
  }),
  // The answer does not depend on whether the address is unknown, belongs to an account, or belongs to an active
  // account.
  row(
    resendAccountActivationEmail,
    { fields: { email: 'nobody@ondine.test' } },
    {
      invalidInput: { fields: { email: 'nobody' } },
      slowDown: { times: 5, each: (turn) => ({ email: `again-${turn}@ondine.test` }) },
    },
  ),
  row(
    askResetPassword,
    { fields: { email: 'nobody@ondine.test' } },
    {
      invalidInput: { fields: { email: 'nobody' } },
      forbidden: { fields: { email: 'nobody@ondine.test' }, given: noReset },
      slowDown: { times: 5, each: (turn) => ({ email: `lost-${turn}@ondine.test` }) },
    },
  ),
  row(resetPassword, linked('password', NEW), {
    invalidInput: { fields: { ...NEW, token: 'forged', passwordConfirm: 'another' } },
    linkExpired: { fields: { ...NEW, token: 'forged' } },
    newPasswordPolicy: linked('password', WEAK),
    newPasswordSame: linked('password', SAME),
    forbidden: { fields: { ...NEW, token: 'forged' }, given: noReset },
    slowDown: { fields: { ...NEW, token: 'forged' }, times: 5 },
  }),
  row(
    updatePassword,
    { fields: { currentPassword: PASSWORD, ...NEW } },
    {
      invalidInput: { fields: { currentPassword: PASSWORD, ...NEW, passwordConfirm: 'another' } },
      signInFailed: { fields: { currentPassword: 'guess', ...NEW } },
      newPasswordPolicy: { fields: { currentPassword: PASSWORD, ...WEAK } },
      newPasswordSame: { fields: { currentPassword: PASSWORD, ...SAME } },
      slowDown: { fields: { currentPassword: 'guess', ...NEW }, times: 1 },
    },
  ),
  row(
    changeDetails,
    { fields: { firstName: 'Zoé' } },
    {
      invalidInput: { fields: { dateofbirth: '1990-02-30' } },
      // Only changes that require the password are limited, so the calls change the address.
      signInFailed: { fields: { email: 'moved@ondine.test', currentPassword: 'guess' } },
      slowDown: { times: 1, each: () => ({ email: 'moved@ondine.test', currentPassword: 'guess' }) },
    },
  ),
  row(
    changeAddress,
    { fields: { addressCity: 'Brest', addressCountry: 'FR' } },
    {
      invalidInput: { fields: { addressCity: 'x'.repeat(101) } },
      countryInvalid: { fields: { addressCountry: 'XX' } },
    },
  ),
  row(anonymizeMe, {}),
  row(loginDevice, { given: asActor }, { tokenInvalid: {} }),
  row(getPasswordPolicy, {}),
  row(
    oauthToken,
    {
      given: async ({ actor }) => ({
        fields: { username: actor.account.email, password: PASSWORD, grant_type: 'password' },
      }),
    },
    {
      invalidInput: { fields: { username: 'zoe@ondine.test', grant_type: 'password' } },
      signInFailed: { fields: { username: 'nobody@ondine.test', password: 'x', grant_type: 'password' } },
      slowDown: {
        fields: { username: 'guessed@ondine.test', password: 'x', grant_type: 'password' },
        times: 1,
      },
      accountNotActivated: {
        given: async ({ make }) => {
          const { email: username } = (await make.actor({ status: 'PENDING_ACTIVATION' })).account
          return { fields: { username, password: PASSWORD, grant_type: 'password' } }
        },
      },
      authenticationFailed: {
        fields: EXCHANGE,
        given: async (scene) => {
          await left(scene)
          return undefined
        },
      },
      signOnNotAllowed: { fields: EXCHANGE },
      identityProviderSilent: { fields: EXCHANGE, given: configured(SILENT) },
      forbidden: {
        fields: { username: 'zoe@ondine.test', password: 'x', grant_type: 'password' },
        given: configured({ [`${PROVIDED}.mode`]: 'sso' }),
      },
    },
  ),
  row(accountDetails, {}),
  // These calls succeed for every caller.
  row(logout, {}),
  row(session, {}),
  row(
    beginSignOn,
    { given: configured({ ...SILENT, [`${PROVIDED}.ssoUrl`]: 'https://sign-in.ondine.test/' }) },
    {
      invalidInput: { fields: { back: `/${'x'.repeat(2000)}` } },
      signOnNotAllowed: {},
      identityProviderSilent: { given: configured(SILENT) },
      slowDown: { times: 5 },
    },
  ),
  row(
    finishSignOn,
    {
      given: async (scene) => {
        const { url, tokens } = await left(scene)
        return { tokens, fields: { query: await scene.provider.signIn(url, 'camille') } }
      },
    },
    {
      invalidInput: {},
      authenticationFailed: { fields: FORGED },
      signOnNotAllowed: {
        fields: FORGED,
        given: async (scene) => {
          const { tokens } = await left(scene)
          await scene.configure({ [`${PROVIDED}.issuer`]: '', [`${PROVIDED}.clientId`]: '' })
          return { tokens }
        },
      },
      identityProviderSilent: {
        fields: FORGED,
        given: async (scene) => {
          const { tokens } = await left(scene)
          await scene.configure(SILENT)
          return { tokens }
        },
      },
      slowDown: { fields: FORGED, times: 5 },
    },
  ),
  row(listCountries, {}),
]
