import { ACCOUNTS } from '@ondine/contract/constants'

/** Says to the next page, in whichever tab, that somebody came in and has not answered yet; as long-lived as what lets them in. */
const COOKIE = 'consentOpen'

/** Whether somebody was asked for the consent in this browser and has not answered. */
export function isConsentOpen(): boolean {
  return document.cookie.split('; ').includes(`${COOKIE}=1`)
}

/** Keeps that the consent is asked for, or that it was answered. */
export function keepConsentOpen(open: boolean): void {
  const seconds = open ? ACCOUNTS.deviceCookieDays * 86_400 : 0
  document.cookie = `${COOKIE}=1; path=/; max-age=${seconds}; samesite=lax`
}
