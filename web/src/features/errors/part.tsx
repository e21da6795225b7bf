import { type ReactNode, Suspense } from 'react'
import { FaultBoundary } from '../../design/fault-boundary.tsx'
import { PartError } from './part-error.tsx'
import { reportFault } from './report-fault.ts'

/**
 * A part of a page that may fail without the page: a rail, a section. On the server what fails is left to the browser,
 * which tries once more; there it becomes words with a way to try again.
 *
 * @param waiting of the final size, shown while the part waits for data
 */
export function Part({
  name,
  waiting = null,
  children,
}: {
  /** What the part is, for its heading when it fails. */
  name: string
  waiting?: ReactNode
  children: ReactNode
}) {
  return (
    <FaultBoundary
      onFault={reportFault}
      renderFallback={(_fault, retry) => <PartError name={name} onRetry={retry} />}
    >
      <Suspense fallback={waiting}>{children}</Suspense>
    </FaultBoundary>
  )
}
