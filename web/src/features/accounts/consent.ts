import { changeDetails } from '@ondine/contract/account-calls'
import { accountDetails, logout } from '@ondine/contract/accounts'
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

/**
 * Asks for the consent if it is to be asked for, and stores it. Declining signs out.
 *
 * @throws ConsentDeclined
 * @throws ApiError when it could not be stored
 */
export async function takeConsent(accounts: Configuration['accounts']): Promise<void> {
  if (accounts.consent.mode === 'disabled' || accounts.isAllowedToRegister) {
    keepConsentOpen(false)
    return
  }
  // Before anything that may fail: who loads the page again instead of answering is asked again.
  keepConsentOpen(true)
  const { additionalInformation } = await call(accountDetails, {})
  if (asksConsent(accounts, additionalInformation.consent_status)) {
    const link = accounts.consent.link || pathOf('legal')
    if (!(await modal.open('privacyPolicyConsent', { link }))) {
      await call(logout, {})
      keepConsentOpen(false)
      throw new ConsentDeclined()
    }
    await call(changeDetails, {
      additionalInformation: { consent_status: 'accepted', consent_version: `${link} ${VERSION}` },
    })
  }
  keepConsentOpen(false)
}

/**
 * Asks once more on a page that somebody came to without having answered. Who declines learns why nobody is signed in; where the
 * answer does not get through, they try again, or are asked on the next page.
 */
export async function takeOpenConsent(accounts: Configuration['accounts']): Promise<void> {
  try {
    await takeConsent(accounts)
  } catch (error) {
    const { t } = pageWords()
    if (error instanceof ConsentDeclined) {
      await modal.open('alert', { title: t('auth.callbackFailed'), description: t('auth.declined') })
      location.assign(pathOf('auth-login'))
      return
    }
    // Nobody is signed in any more whose consent could be kept: they are on their way to the sign-in.
    if (error instanceof ApiError && error.code === CODES.tokenInvalid) return
    reportFault(error)
    const question = {
      title: t('auth.consentFailed'),
      description: t('auth.consentFailedText'),
      primaryLabel: t('errors.retry'),
      negativeLabel: t('auth.consentLater'),
    }
    if (await modal.open('confirm', question)) await takeOpenConsent(accounts)
  }
}
