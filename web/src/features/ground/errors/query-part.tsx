import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Part } from './part.tsx'
import { PartError } from './part-error.tsx'
import { reportFault } from './report-fault.ts'

/**
 * A part of a page that runs a query. It shows a skeleton first, and then the content, or a message with a button
 * to try again. The loader of the route prefetches the query with `prefetchQuery`, which never fails. The page
 * therefore renders even if the query fails.
 */
export function QueryPart<Data, Key extends QueryKey>({
  name,
  query,
  waiting,
  children,
}: {
  name: string
  query: UseQueryOptions<Data, Error, Data, Key>
  /** The skeleton, with the size of the content. */
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
