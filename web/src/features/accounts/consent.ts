import { changeDetails } from '@ondine/contract/account-calls'
import { accountDetails, logout, session } from '@ondine/contract/accounts'
import type { Configuration } from '@ondine/contract/configuration'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { CODES } from '../../api/codes.ts'
import { modal } from '../../modals/modal.ts'
import { pageWords } from '../../words/fetch-words.ts'
import { reportFault } from '../errors/report-fault.ts'
import { pathOf } from '../links/content-link.ts'
import { keepConsentOpen } from './open-consent.ts'

/** The text that is consented to: another one is another version, which is asked for by its own name. */
const VERSION = '1'

/** Whether the consent is asked for (A4.5). Never while people may register: registering takes it itself. */
export function asksConsent(
  { consent, isAllowedToRegister }: Pick<Configuration['accounts'], 'consent' | 'isAllowedToRegister'>,
  status: string,
): boolean {
  if (isAllowedToRegister) return false
  if (consent.mode === 'each-session') return true
  return consent.mode === 'once' && status !== 'accepted'
}

/** The consent was declined: nobody is signed in (A4.5-06). */
export class ConsentDeclined extends Error {
  override readonly name = 'ConsentDeclined'
  readonly code = 'privacy-policy-declined'

  constructor() {
    super('privacy-policy-declined')
  }
}

/** What became of the consent: it stands, or was never due; it was declined; or a call failed before or after the answer. */
type Outcome = 'settled' | 'declined' | { failed: 'question' | 'answer'; error: unknown }

/**
 * Asks for the consent if it is to be asked for, and stores it. Declining signs out.
 *
 * @throws ConsentDeclined
 * @throws ApiError when it could not be asked for, or not be stored
 */
export async function takeConsent(accounts: Configuration['accounts']): Promise<void> {
  const outcome = await settleConsent(accounts)
  if (outcome === 'declined') throw new ConsentDeclined()
  if (outcome !== 'settled') throw outcome.error
}

/**
 * Asks once more on a page that somebody came to without having answered. Who declines learns why nobody is signed in; where the
 * question or the answer does not get through, they try again, or are asked the next time.
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
    // Nobody is signed in any more whose consent could be kept: they are on their way to the sign-in.
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
 * @param given the answer, where it was given already and did not get through
 * @param answered is told of an answer as it is given
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
  // Before anything that may fail: who loads the page again instead of answering is asked again.
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

/** Signs out for certain: the call for it is never an error. @throws ApiError when it is not known whether anybody is signed in */
async function leave(): Promise<void> {
  await call(logout, {})
  const { account } = await call(session, {})
  if (account !== null) throw new Error('Whoever declined the consent is signed in still.')
}

async function isDue(accounts: Configuration['accounts']): Promise<boolean> {
  const { additionalInformation } = await call(accountDetails, {})
  return asksConsent(accounts, additionalInformation.consent_status)
}

function accepted(link: string) {
  return { consent_status: 'accepted', consent_version: `${link} ${VERSION}` } as const
}
