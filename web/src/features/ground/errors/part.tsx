import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { FaultBoundary } from '../../../design/page/fault-boundary.tsx'
import { PartError } from './part-error.tsx'
import { reportFault } from './report-fault.ts'

/**
 * A part of a page, such as a rail or a section. If the part fails, the rest of the page still works. If it fails on
 * the server, the browser renders it once more. If it fails there too, it shows a message with the service's text and a
 * button to try again.
 *
 * @param waiting placeholder of the final size, shown while the part waits for data
 */
export function Part({
  name,
  waiting = null,
  from,
  children,
}: {
  /** The name of the part, for its heading when it fails. */
  name: string
  waiting?: ReactNode
  /**
   * The data that the part shows, from queries outside of the part. When new data arrives after an error, the part
   * renders again.
   */
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
          // The data may be the cause of the error, so the button refetches the data. A query whose refetch fails keeps
          // its old data.
          onRetry={() => void queries.refetchQueries({ type: 'active' }).then(redraw)}
        />
      )}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </FaultBoundary>
  )
}
