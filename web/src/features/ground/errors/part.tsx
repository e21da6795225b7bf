import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { FaultBoundary } from '../../../design/page/fault-boundary.tsx'
import { PartError } from './part-error.tsx'
import { reportFault } from './report-fault.ts'

/**
 * A part of a page, such as a rail or a section. If the part fails, the rest of the page still works. If the part
 * fails on the server, the browser renders it again. If the browser fails too, the part shows a message with the
 * service's text and a button to try again.
 *
 * @param waiting placeholder of the final size, shown while the part waits for data
 */
export function Part({
  name,
  waiting = null,
  from,
  children,
}: {
  /** The name of the part. If the part fails, the name is the heading of the message. */
  name: string
  waiting?: ReactNode
  /**
   * The data of the part, from queries outside of it. When new data arrives after an error, the part renders
   * again.
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
          // The data may have caused the error, so the button refetches it. A query whose refetch fails keeps its
          // old data.
          onRetry={() => void queries.refetchQueries({ type: 'active' }).then(redraw)}
        />
      )}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </FaultBoundary>
  )
}
