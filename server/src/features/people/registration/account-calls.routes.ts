import {
  anonymizeMe,
  askResetPassword,
  changeAddress,
  changeDetails,
  createAccount,
  getPasswordPolicy,
  resendAccountActivationEmail,
  resetPassword,
  updatePassword,
  validateAccount,
} from '@ondine/contract/account-calls'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import type { RateLimit } from '../../../http/rate-limit.ts'
import { linkOriginOf } from '../../../http/site-origin.ts'
import { clearTokenCookies } from '../../../http/token-cookies.ts'
import {
  anonymise,
  changeAccount,
  changePassword,
  moveAccount,
  resetPassword as reset,
} from '../accounts/account-changes.service.ts'
import { normaliseEmail, requireAccount, requirePasswords } from '../accounts/accounts.service.ts'
import { sharedRateLimit } from '../attempts/rate-limits.service.ts'
import { touchDevice } from '../devices/devices.service.ts'
import type { Mail } from '../mail/mail.service.ts'
import { Sessions } from '../sign-in/sessions.service.ts'
import { confirmEmail, register } from './registration.service.ts'

/**
 * Maximum number of e-mails per client address, as a multiple of the limit per e-mail address. Also limits the
 * links that a client opens.
 */
const ADDRESSES_PER_CLIENT = 5

/**
 * Registers the calls that create, confirm, change and delete accounts (A7.1).
 *
 * @param passwordLimit counts guesses of passwords
 */
export function registerAccountCalls(
  app: FastifyInstance,
  on: On,
  context: Context,
  { mail, passwordLimit }: { mail: Mail; passwordLimit: RateLimit },
): void {
  const { settings, configurations, clock, accountHooks: hooks } = context
  const sessions = new Sessions(context)
  const max = settings.SIGN_IN_ATTEMPTS
  const maxOfClient = max * ADDRESSES_PER_CLIENT
  const emailLimit = sharedRateLimit(app, context, 'email-address', { max, about: addressee })
  const anyEmailLimit = sharedRateLimit(app, context, 'email', { max: maxOfClient })
  const link = sharedRateLimit(app, context, 'link', { max: maxOfClient })

  on(
    getPasswordPolicy,
    (_input, { storefront }) => configurations.of(storefront.id).registration.passwordPolicy,
  )

  on(createAccount, async (sent, { db, storefront, language, now, request }) => {
    const { accounts, registration, languages } = configurations.of(storefront.id)
    requirePasswords(accounts)
    if (!accounts.isAllowedToRegister) throw new ServiceError('forbidden')
    await anyEmailLimit(request)
    await emailLimit(request)
    const about = { storefrontId: storefront.id, registration, languages, language, now }
    const { accountId, letter } = await register(db, about, sent)
    const origin = linkOriginOf(context, request)
    await mail.order({ letter, accountId, storefrontId: storefront.id, origin, language })
    return null
  })

  on(validateAccount, async ({ token }, { db, now, request }) => {
    await link(request)
    await confirmEmail(db, token, now)
    return null
  })

  on(resendAccountActivationEmail, async ({ email }, { storefront, language, request }) => {
    await anyEmailLimit(request)
    await emailLimit(request)
    const origin = linkOriginOf(context, request)
    const to = normaliseEmail(email)
    await mail.order({ letter: 'activation', email: to, storefrontId: storefront.id, origin, language })
    return null
  })

  on(askResetPassword, async ({ email }, { storefront, language, request }) => {
    requireInternalReset(storefront.id)
    await anyEmailLimit(request)
    await emailLimit(request)
    const origin = linkOriginOf(context, request)
    const to = normaliseEmail(email)
    await mail.order({ letter: 'password', email: to, storefrontId: storefront.id, origin, language })
    return null
  })

  on(resetPassword, async (sent, { db, storefront, language, request, reply }) => {
    requireInternalReset(storefront.id)
    await link(request)
    const policy = configurations.of(storefront.id).registration.passwordPolicy
    const accountId = await reset(db, { policy, clock, hooks }, sent)
    clearTokenCookies(reply)
    const origin = linkOriginOf(context, request)
    await mail.order({ letter: 'passwordChanged', accountId, storefrontId: storefront.id, origin, language })
    return null
  })

  on(updatePassword, async (sent, { db, account, device, storefront, language, now, request, reply }) => {
    await passwordLimit(request)
    const policy = configurations.of(storefront.id).registration.passwordPolicy
    const changed = await changePassword(db, { account, policy, clock, hooks }, sent)
    if (device) await touchDevice(db, changed, device.id, now)
    const { token } = await sessions.beginAgain(changed, account, request, reply, now)
    const origin = linkOriginOf(context, request)
    const letter = 'passwordChanged' as const
    await mail.order({ letter, accountId: account.id, storefrontId: storefront.id, origin, language })
    return { newAuthToken: token }
  })

  on(changeDetails, async (sent, { db, account, storefront, language, now, request }) => {
    if (sent.currentPassword !== undefined) await passwordLimit(request)
    // Before the change: a refused request must not end an earlier one.
    const { email } = await requireAccount(db, account)
    if (sent.email !== undefined && normaliseEmail(sent.email) !== email) await anyEmailLimit(request)
    const { languages } = configurations.of(storefront.id).languages
    const newEmail = await changeAccount(db, account, sent, { languages, now })
    if (newEmail === null) return { pendingEmail: null }
    const order = {
      accountId: account.id,
      storefrontId: storefront.id,
      language,
      origin: linkOriginOf(context, request),
    }
    await mail.order({ ...order, letter: 'email', newEmail })
    await mail.order({ ...order, letter: 'emailChanged' })
    return { pendingEmail: newEmail }
  })

  on(changeAddress, async (sent, { db, account }) => {
    await moveAccount(db, account, sent)
    return null
  })

  on(anonymizeMe, async (_input, { db, account, now, reply }) => {
    await requireAccount(db, account)
    await anonymise(db, hooks, account.id, now)
    clearTokenCookies(reply)
    return null
  })

  /**
   * Throws `forbidden` if this service cannot reset the storefront's passwords: nobody signs in with one, another
   * system stores them, or the operator has disabled the reset (A2.2-04).
   */
  function requireInternalReset(storefrontId: number): void {
    const { accounts } = configurations.of(storefrontId)
    requirePasswords(accounts)
    if (accounts.resetPassword.mode !== 'internal') throw new ServiceError('forbidden')
  }
}

function addressee(request: FastifyRequest): string {
  const { email } = request.body as { email: string }
  return normaliseEmail(email)
}
