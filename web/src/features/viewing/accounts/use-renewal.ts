import { loginDevice } from '@ondine/contract/account-calls'
import type { Session } from '@ondine/contract/accounts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
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
    const delay = Math.min(renewalDelay(expiresAt, serviceNow() / 1000), LONGEST_MS)
    const timer = setTimeout(() => void renew(queries), delay)
    return () => clearTimeout(timer)
  }, [expiresAt, queries])
}

/**
 * Renews the viewer's token, and reads the session again. Does nothing if the service does not answer, for example
 * at a start without a connection. The first call that the service refuses then renews the token (A4.4-03).
 *
 * @throws ApiError if the service refuses
 */
export async function renew(queries: QueryClient): Promise<void> {
  try {
    await call(loginDevice, {})
  } catch (error) {
    if (error instanceof ApiError && error.code === NO_ANSWER) return
    throw error
  }
  await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}
