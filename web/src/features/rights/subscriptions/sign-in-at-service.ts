import type { Session } from '@ondine/contract/accounts'
import { refreshSubscriptions } from '@ondine/contract/subscription-service'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { tabStorage } from '../../ground/platform/device-storage.ts'
import { isChild, sessionQuery } from '../../ground/session/session.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'

/**
 * Key in the session storage. The value is the id of the account that this tab has signed in at the subscription
 * service.
 */
const KEY = 'ondine.subscription-service'

/** How long the steps after a sign-in wait for the subscription service, in milliseconds. */
const PATIENCE_MS = 3000

/**
 * Signs the viewer in at the third-party subscription service after each sign-in (A4.3-05). The account's rights at
 * that service then apply here too, even rights from before this sign-in. Waits at most 3 s. An answer after that
 * time is used too. An error is only reported, because a viewer can watch without the service.
 */
export async function signInAtService(queries: QueryClient): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS)
  })
  await Promise.race([takeRights(queries), late])
  clearTimeout(timer)
}

/** Signs the viewer in at the subscription service at the start of a visit (V4-02), once per tab and account. */
export async function signInAtServiceOnce(queries: QueryClient): Promise<void> {
  const id = subscriberOf(queries.getQueryData(sessionQuery.queryKey))
  if (id !== undefined && tabStorage.getItem(KEY) !== String(id)) await takeRights(queries)
}

async function takeRights(queries: QueryClient): Promise<void> {
  const id = subscriberOf(queries.getQueryData(sessionQuery.queryKey))
  if (id === undefined) return
  try {
    const { hasChanged } = await call(refreshSubscriptions, {})
    tabStorage.setItem(KEY, String(id))
    if (hasChanged) await askUnlockedAnew(queries)
  } catch (error) {
    // The next start of the page tries again.
    reportFault(error)
  }
}

/** Returns the id of the account to sign in; undefined for a signed-out viewer, a child and a suspended account. */
function subscriberOf(session: Session | undefined): number | undefined {
  if (session === undefined || session.profile === null || isChild(session)) return undefined
  return session.account?.status === 'ACTIVE' ? session.account.id : undefined
}
