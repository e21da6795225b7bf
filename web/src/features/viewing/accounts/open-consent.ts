import { ACCOUNTS } from '@ondine/contract/constants'

/**
 * Name of the cookie which says that the signed-in viewer has not yet answered the question for the consent. Every page
 * of this browser reads it. It lasts as long as the cookie of the device.
 */
const COOKIE = 'consentOpen'

/** Returns whether a viewer in this browser was asked for the consent and has not answered. */
export function isConsentOpen(): boolean {
  return document.cookie.split('; ').includes(`${COOKIE}=1`)
}

/** Stores in the cookie whether the viewer still has to answer. */
export function keepConsentOpen(open: boolean): void {
  const seconds = open ? ACCOUNTS.deviceCookieDays * 86_400 : 0
  document.cookie = `${COOKIE}=1; path=/; max-age=${seconds}; samesite=lax`
}
