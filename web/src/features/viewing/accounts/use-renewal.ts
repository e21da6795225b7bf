import { loginDevice } from '@ondine/contract/account-calls'
import type { Session } from '@ondine/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/call.ts'
import { renewalDelay } from '../../../api/renewal.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { sessionQuery } from '../../ground/session/session.ts'

/** The longest delay that a timer of a browser accepts, in milliseconds. */
const LONGEST_MS = 2_147_483_647

/** Renews the viewer's token half an hour before it expires (A4.4-02). */
export function useRenewal({ account }: Session): void {
  const queries = useQueryClient()
  const expiresAt = account?.tokenExpiresAt
  useEffect(() => {
    if (expiresAt === undefined) return undefined
    async function renew(): Promise<void> {
      await call(loginDevice, {})
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    }
    const delay = Math.min(renewalDelay(expiresAt, serviceNow() / 1000), LONGEST_MS)
    const timer = setTimeout(() => void renew(), delay)
    return () => clearTimeout(timer)
  }, [expiresAt, queries])
}
