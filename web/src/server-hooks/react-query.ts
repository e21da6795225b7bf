import {
  hashKey,
  type QueryClient,
  type UseQueryOptions,
  type UseSuspenseQueryOptions,
  useQueryClient,
  useQuery as watchQuery,
  useSuspenseQuery as watchSuspenseQuery,
} from '@tanstack/react-query'

export * from '@tanstack/react-query'

/** What a hook says of data that is there and fresh. */
const LOADED = {
  status: 'success',
  fetchStatus: 'idle',
  error: null,
  isSuccess: true,
  isError: false,
  isPending: false,
  isLoading: false,
  isFetching: false,
  refetch: notOnServer,
} as const

const look: unknown = (options: UseQueryOptions, client?: QueryClient) =>
  lookUp(options, useQueryClient(client)) ?? watchQuery(options, client)

const lookSuspended: unknown = (options: UseSuspenseQueryOptions, client?: QueryClient) =>
  lookUp(options, useQueryClient(client)) ?? watchSuspenseQuery(options, client)

export const useQuery = look as typeof watchQuery
export const useSuspenseQuery = lookSuspended as typeof watchSuspenseQuery

/** What is there and fresh; anything else is the library's own matter. */
function lookUp(
  {
    queryHash,
    queryKey,
    staleTime,
    select,
  }: Pick<UseQueryOptions, 'queryHash' | 'queryKey' | 'staleTime' | 'select'>,
  client: QueryClient,
): object | undefined {
  const query = client.getQueryCache().get(queryHash ?? hashKey(queryKey))
  if (query === undefined || query.state.status !== 'success') return undefined
  const fresh = staleTime ?? client.getDefaultOptions().queries?.staleTime
  if (typeof fresh !== 'number' || query.isStaleByTime(fresh)) return undefined
  const { data } = query.state
  return { ...LOADED, data: select === undefined ? data : select(data) }
}

function notOnServer(): never {
  throw new Error('Nothing is fetched again while a page is drawn')
}
