import { changeDetails } from '@ondine/contract/account-calls'
import { accountDetails, logout, session } from '@ondine/contract/accounts'
import type { Configuration } from '@ondine/contract/configuration'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { modal } from '../../../modals/modal.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { keepConsentOpen } from './open-consent.ts'

/** Version of the consent text. A change of the text needs a new version, so that viewers are asked again. */
const VERSION = '1'

/**
 * Returns whether viewers are asked for the consent after a sign-in (A4.5). If the storefront has a registration,
 * the registration asks for the consent instead.
 */
export function asksConsent(
  { consent, isAllowedToRegister }: Pick<Configuration['accounts'], 'consent' | 'isAllowedToRegister'>,
  status: string,
): boolean {
  if (isAllowedToRegister) return false
  if (consent.mode === 'each-session') return true
  return consent.mode === 'once' && status !== 'accepted'
}

/** Thrown if the viewer declined the consent and is therefore signed out (A4.5-06). */
export class ConsentDeclined extends Error {
  override readonly name = 'ConsentDeclined'
  readonly code = 'privacy-policy-declined'

  constructor() {
    super('privacy-policy-declined')
  }
}

/**
 * The outcome of the question for the consent. `settled`: the viewer accepted, or no question was necessary.
 * `declined`: the viewer declined. `failed`: a call failed before the viewer's answer (`question`) or after it
 * (`answer`).
 */
type Outcome = 'settled' | 'declined' | { failed: 'question' | 'answer'; error: unknown }

/**
 * Asks for the consent if necessary, and stores it. A viewer who declines is signed out.
 *
 * @throws ConsentDeclined
 * @throws ApiError when the service does not answer, or does not store the consent
 */
export async function takeConsent(accounts: Configuration['accounts']): Promise<void> {
  const outcome = await settleConsent(accounts)
  if (outcome === 'declined') throw new ConsentDeclined()
  if (outcome !== 'settled') throw outcome.error
}

/**
 * Asks again for a consent that the viewer left unanswered on an earlier page. A viewer who declines sees the
 * reason for the sign-out. If a call fails, the viewer can try again, or is asked on the next visit.
 */
export async function takeOpenConsent(accounts: Configuration['accounts']): Promise<void> {
  // A phone casts to this page, so a question would cover the video. The next page asks.
  if (location.pathname.endsWith(pathOf('receiver'))) return
  const { t } = pageWords()
  let answer: boolean | undefined
  for (;;) {
    const outcome = await settleConsent(accounts, answer, (given) => {
      answer = given
    })
    if (outcome === 'settled') return
    if (outcome === 'declined') {
      await modal.open('alert', { title: t('auth.callbackFailed'), description: t('auth.declined') })
      location.assign(pathOf('auth-login'))
      return
    }
    const { failed, error } = outcome
    // The viewer is no longer signed in, so no consent can be stored. The page is already going to the sign-in
    // screen.
    if (error instanceof ApiError && error.code === CODES.tokenInvalid) return
    reportFault(error)
    const again = await modal.open('confirm', {
      title: t(failed === 'answer' ? 'auth.consentFailed' : 'auth.consentUnasked'),
      description: t(failed === 'answer' ? 'auth.consentFailedText' : 'auth.consentUnaskedText'),
      primaryLabel: t('errors.retry'),
      negativeLabel: t('auth.consentLater'),
    })
    if (!again) return
  }
}

/**
 * Asks for the consent if necessary, and stores the answer.
 *
 * @param given the viewer's answer from an earlier attempt, in which the answer could not be stored
 * @param answered called with the viewer's answer
 */
async function settleConsent(
  accounts: Configuration['accounts'],
  given?: boolean,
  answered?: (accepts: boolean) => void,
): Promise<Outcome> {
  if (accounts.consent.mode === 'disabled' || accounts.isAllowedToRegister) {
    keepConsentOpen(false)
    return 'settled'
  }
  // The cookie is set before the calls, because the calls can fail. A viewer who reloads the page instead of
  // answering is then asked again.
  keepConsentOpen(true)
  const link = accounts.consent.link || pathOf('legal')
  let accepts = given
  try {
    if (accepts === undefined && (await isDue(accounts))) {
      accepts = await modal.open('privacyPolicyConsent', { link })
      answered?.(accepts)
    }
  } catch (error) {
    return { failed: 'question', error }
  }
  try {
    if (accepts === false) await leave()
    if (accepts === true) await call(changeDetails, { additionalInformation: accepted(link) })
  } catch (error) {
    return { failed: 'answer', error }
  }
  keepConsentOpen(false)
  return accepts === false ? 'declined' : 'settled'
}

/**
 * Signs out. The call `logout` reports no failure, so this function then reads the session to check that the viewer
 * is signed out. @throws ApiError when the session cannot be read
 */
async function leave(): Promise<void> {
  await call(logout, {})
  const { account } = await call(session, {})
  if (account !== null) throw new Error('The viewer declined the consent but is still signed in.')
}

async function isDue(accounts: Configuration['accounts']): Promise<boolean> {
  const { additionalInformation } = await call(accountDetails, {})
  return asksConsent(accounts, additionalInformation.consent_status)
}

function accepted(link: string) {
  return { consent_status: 'accepted', consent_version: `${link} ${VERSION}` } as const
}
