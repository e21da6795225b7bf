import type { Session } from '@ondine/contract/accounts'
import { useEffect, useState } from 'react'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { isConsentOpen } from './open-consent.ts'

/** Asks for the consent once more that was not answered before the page was left or loaded again (A4.5-01). */
export function useUnansweredConsent({ account, profile }: Session): void {
  const { accounts } = useConfiguration()
  // Who signs in on this page is asked by what follows the sign-in.
  // A child gives no consent: the next grown-up is asked.
  const [came] = useState({ isAsked: account !== null && profile?.kidProfile !== true, accounts })
  useEffect(() => {
    if (!came.isAsked || !isConsentOpen()) return
    const ask = async () => await (await import('./consent.ts')).takeOpenConsent(came.accounts)
    void ask()
  }, [came])
}
