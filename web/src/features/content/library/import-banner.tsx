import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { isChild, sessionQuery, useSession } from '../../ground/session/session.ts'
import './import-summary.module.css'
import { importProgressQuery } from './progress-query.ts'

// Most visits see no import. The styles are in the page, because the server draws this part too.
const ImportSummary = lazy(() => import('./import-summary.tsx'))

/**
 * Shows adults the progress of an import. For every viewer, refetches the content of the page when more titles are
 * ready.
 */
export function ImportBanner() {
  const session = useSession()
  const { data } = useQuery({ ...importProgressQuery, enabled: session.storefront.demonstration })
  useRefreshAsFilmsArrive(data?.ready)
  if (data?.running !== true || isChild(session)) return null
  return (
    <Suspense>
      <ImportSummary progress={data} />
    </Suspense>
  )
}

/** Refetches the catalogue when the number of ready films changes. */
function useRefreshAsFilmsArrive(ready: number | undefined): void {
  const queries = useQueryClient()
  const before = useRef(ready)
  useEffect(() => {
    if (ready === undefined || ready === before.current) return
    before.current = ready
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] !== importProgressQuery.queryKey[0] && queryKey[0] !== sessionQuery.queryKey[0],
    })
  }, [queries, ready])
}
