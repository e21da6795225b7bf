import { ACCOUNTS } from '@ondine/contract/constants'
import { keep, kept } from '../../../api/kept.ts'

/**
 * Name of the cookie which says that the signed-in viewer has not yet answered the question for the consent. Every page
 * of this browser reads it. It lasts as long as the cookie of the device.
 */
const COOKIE = 'consentOpen'

/** Returns whether a viewer in this browser was asked for the consent and has not answered. */
export function isConsentOpen(): boolean {
  return kept(COOKIE) === '1'
}

/** Stores in the cookie whether the viewer still has to answer. */
export function keepConsentOpen(open: boolean): void {
  keep(COOKIE, '1', open ? ACCOUNTS.deviceCookieDays * 86_400 : 0)
}
