import { ACCOUNTS } from '@ondine/contract/constants'
import { keep, kept } from '../../../api/kept.ts'

/**
 * Name of the cookie that exists while a question for the consent is unanswered. All pages of this browser read this
 * cookie. The cookie lasts as long as the cookie of the device.
 */
const COOKIE = 'consentOpen'

/** Returns whether a viewer in this browser has left the question for the consent unanswered. */
export function isConsentOpen(): boolean {
  return kept(COOKIE) === '1'
}

/** Sets or removes the cookie of an unanswered consent. */
export function keepConsentOpen(open: boolean): void {
  keep(COOKIE, '1', open ? ACCOUNTS.deviceCookieDays * 86_400 : 0)
}
