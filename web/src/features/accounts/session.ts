import { session } from '@ondine/contract/accounts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { query } from '../../api/query.ts'

/** Who looks at the page. Asked for once per page; signing in or out makes it stale. */
export const sessionQuery = query(session, {})

/** Who looks at the page. */
export function useSession() {
  return useSuspenseQuery(sessionQuery).data
}

/**
 * The service's time, in whole seconds since the epoch, moving each second (V3, live state). It follows the service's
 * clock, not the viewer's: what is live is decided there.
 */
export function useNow(): number {
  const { data, dataUpdatedAt } = useSuspenseQuery(sessionQuery)
  const ahead = data.now - dataUpdatedAt / 1000
  return useSyncExternalStore(
    everySecond,
    () => Math.floor(Date.now() / 1000 + ahead),
    () => Math.floor(data.now),
  )
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, 1000)
  return () => clearInterval(timer)
}
