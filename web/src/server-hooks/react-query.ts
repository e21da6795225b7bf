import {
  type QueryClient,
  skipToken,
  type UseQueryOptions,
  type UseSuspenseQueryOptions,
  useQueryClient,
  useQuery as watchQuery,
  useSuspenseQuery as watchSuspenseQuery,
} from '@tanstack/react-query'
import { hashOf } from '../api/query-hash.ts'

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

/** What a hook says of data that nobody has asked for yet, and that the browser will ask for. */
const AWAITED = {
  ...LOADED,
  status: 'pending',
  fetchStatus: 'fetching',
  isSuccess: false,
  isPending: true,
  isLoading: true,
  isFetching: true,
  data: undefined,
} as const

/** The same where it must not be asked for. */
const LEFT = { ...AWAITED, fetchStatus: 'idle', isLoading: false, isFetching: false } as const

const look: unknown = (options: UseQueryOptions, client?: QueryClient) => {
  const known = useQueryClient(client)
  return lookUp(options, known) ?? lookForward(options, known) ?? watchQuery(options, client)
}

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
  const query = client.getQueryCache().get(queryHash ?? hashOf(queryKey))
  if (query === undefined || query.state.status !== 'success') return undefined
  const fresh = staleTime ?? client.getDefaultOptions().queries?.staleTime
  if (typeof fresh !== 'number' || query.isStaleByTime(fresh)) return undefined
  const { data } = query.state
  return { ...LOADED, data: select === undefined ? data : select(data) }
}

/** What is not there, where nothing stands in for it; anything else is the library's own matter. */
function lookForward(
  { queryHash, queryKey, queryFn, enabled = true, placeholderData, initialData }: UseQueryOptions,
  client: QueryClient,
): object | undefined {
  if (placeholderData !== undefined || initialData !== undefined) return undefined
  if (typeof enabled !== 'boolean' || queryFn === skipToken) return undefined
  if (client.getQueryCache().get(queryHash ?? hashOf(queryKey)) !== undefined) return undefined
  return enabled ? AWAITED : LEFT
}

function notOnServer(): never {
  throw new Error('Nothing is fetched again while a page is drawn')
}
