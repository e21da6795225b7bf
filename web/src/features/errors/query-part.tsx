import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Part } from './part.tsx'
import { PartError } from './part-error.tsx'
import { reportFault } from './report-fault.ts'

/**
 * A part of a page with data of its own: a skeleton until it comes, its content, or words with a way to try again. A
 * route's loader fetches it ahead with `prefetchQuery`, which never fails, so that the page is there whatever becomes of
 * the part.
 */
export function QueryPart<Data, Key extends QueryKey>({
  name,
  query,
  waiting,
  children,
}: {
  name: string
  query: UseQueryOptions<Data, Error, Data, Key>
  /** Of the final size. */
  waiting: ReactNode
  children: (data: Data) => ReactNode
}) {
  const { data, error, refetch, isFetching } = useQuery(query)
  useEffect(() => reportFault(error), [error])
  if (data === undefined) {
    return error === null || isFetching ? waiting : <PartError name={name} onRetry={() => void refetch()} />
  }
  return (
    <Part name={name} waiting={waiting} from={[data]}>
      {children(data)}
    </Part>
  )
}
