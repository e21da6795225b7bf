import type { Session } from '@ondine/contract/accounts'
import { useEffect, useState } from 'react'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { isConsentOpen } from './open-consent.ts'

/** Asks for the consent on this page if the viewer left an earlier page without answering (A4.5-01). */
export function useUnansweredConsent({ account, profile }: Session): void {
  const { accounts } = useConfiguration()
  // Keeps the state from the opening of the page. After a later sign-in, `signInSteps` asks for the consent. A child
  // cannot consent, so the next adult is asked.
  const [came] = useState({ isAsked: account !== null && profile?.kidProfile !== true, accounts })
  useEffect(() => {
    if (!came.isAsked || !isConsentOpen()) return
    const ask = async () => await (await import('./consent.ts')).takeOpenConsent(came.accounts)
    void ask()
  }, [came])
}
