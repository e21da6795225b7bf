import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { FaultBoundary } from '../../design/fault-boundary.tsx'
import { PartError } from './part-error.tsx'
import { reportFault } from './report-fault.ts'

/**
 * A part of a page that may fail without the page: a rail, a section. On the server what fails is left to the browser,
 * which tries once more; there it becomes words with a way to try again, with what the service says then.
 *
 * @param waiting of the final size, shown while the part waits for data
 */
export function Part({
  name,
  waiting = null,
  from,
  children,
}: {
  /** What the part is, for its heading when it fails. */
  name: string
  waiting?: ReactNode
  /** The data that the part is drawn from. Its query stands outside of the part: data that comes after a fault draws the part anew. */
  from: readonly unknown[]
  children: ReactNode
}) {
  const queries = useQueryClient()
  return (
    <FaultBoundary
      onFault={reportFault}
      from={from}
      renderFallback={(_fault, redraw) => (
        <PartError
          name={name}
          // What could not be drawn may have come wrong. Queries that fail keep what they had.
          onRetry={() => void queries.refetchQueries({ type: 'active' }).then(redraw)}
        />
      )}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </FaultBoundary>
  )
}
