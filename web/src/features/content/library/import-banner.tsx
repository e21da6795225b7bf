import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, memo, Suspense, useDeferredValue, useEffect, useRef } from 'react'
import { isChild, sessionQuery, useSession } from '../../ground/session/session.ts'
import './import-summary.module.css'
import { type ImportProgress, importProgressQuery } from './progress-query.ts'

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
  const progress = useDeferredValue(data)
  if (progress?.running !== true || isChild(session)) return null
  return <Summary progress={progress} />
}

/**
 * Memoised, so that it renders only for new progress. `progress` must be a deferred value: React drops the server's
 * markup when an urgent update comes before the code of the summary, and the page moves.
 */
const Summary = memo(function Summary({ progress }: { progress: ImportProgress }) {
  return (
    <Suspense>
      <ImportSummary progress={progress} />
    </Suspense>
  )
})

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
