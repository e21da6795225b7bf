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

/** Version of the consent text. When the text changes, it gets a new version, and viewers are asked again. */
const VERSION = '1'

/**
 * Returns whether viewers are asked for the consent after a sign-in (A4.5). They are not asked if the storefront has a
 * registration, because the registration asks them.
 */
export function asksConsent(
  { consent, isAllowedToRegister }: Pick<Configuration['accounts'], 'consent' | 'isAllowedToRegister'>,
  status: string,
): boolean {
  if (isAllowedToRegister) return false
  if (consent.mode === 'each-session') return true
  return consent.mode === 'once' && status !== 'accepted'
}

/** Thrown if the viewer declined the consent, and is therefore not signed in (A4.5-06). */
export class ConsentDeclined extends Error {
  override readonly name = 'ConsentDeclined'
  readonly code = 'privacy-policy-declined'

  constructor() {
    super('privacy-policy-declined')
  }
}

/**
 * How the question for the consent ended. `settled`: the viewer accepted, or there was no need to ask. `declined`: the
 * viewer declined. `failed`: a call failed before the viewer's answer (`question`) or after it (`answer`).
 */
type Outcome = 'settled' | 'declined' | { failed: 'question' | 'answer'; error: unknown }

/**
 * Asks for the consent if that is necessary, and stores it. A viewer who declines is signed out.
 *
 * @throws ConsentDeclined
 * @throws ApiError when the service could not be asked, or the consent not be stored
 */
export async function takeConsent(accounts: Configuration['accounts']): Promise<void> {
  const outcome = await settleConsent(accounts)
  if (outcome === 'declined') throw new ConsentDeclined()
  if (outcome !== 'settled') throw outcome.error
}

/**
 * Asks again for a consent that the viewer left unanswered on an earlier page. A viewer who declines is told why nobody
 * is signed in. If a call fails, the viewer can try again, or is asked on the next visit.
 */
export async function takeOpenConsent(accounts: Configuration['accounts']): Promise<void> {
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
    // The session has ended, so no consent can be stored, and the page is already going to the sign-in screen.
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
 * Asks for the consent if that is necessary, and stores the answer.
 *
 * @param given the viewer's answer to an earlier attempt, which could not be stored
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
  // The cookie is set before the calls, which may fail. So a viewer who reloads the page instead of answering is asked
  // again.
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
 * Signs out, and checks that nobody is signed in, because the call `logout` never fails. @throws ApiError when the
 * session cannot be read
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
