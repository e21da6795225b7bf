import { ACCOUNTS } from '@ondine/contract/constants'

/**
 * Cookie that tells the next page in any tab that the signed-in viewer has not answered the consent yet. It
 * has the lifetime of the device cookie.
 */
const COOKIE = 'consentOpen'

/** Returns whether the consent was asked for in this browser and not answered. */
export function isConsentOpen(): boolean {
  return document.cookie.split('; ').includes(`${COOKIE}=1`)
}

/** Stores whether an answer is pending. */
export function keepConsentOpen(open: boolean): void {
  const seconds = open ? ACCOUNTS.deviceCookieDays * 86_400 : 0
  document.cookie = `${COOKIE}=1; path=/; max-age=${seconds}; samesite=lax`
}
