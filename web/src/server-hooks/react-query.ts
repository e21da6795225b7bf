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

/** The hook's result for fresh data. */
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

/** The hook's result for data that was not requested yet, and that the browser will request. */
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

/** The hook's result for a disabled query. */
const LEFT = { ...AWAITED, fetchStatus: 'idle', isLoading: false, isFetching: false } as const

const look: unknown = (options: UseQueryOptions, client?: QueryClient) => {
  const known = useQueryClient(client)
  return lookUp(options, known) ?? lookForward(options, known) ?? watchQuery(options, client)
}

const lookSuspended: unknown = (options: UseSuspenseQueryOptions, client?: QueryClient) =>
  lookUp(options, useQueryClient(client)) ?? watchSuspenseQuery(options, client)

export const useQuery = look as typeof watchQuery
export const useSuspenseQuery = lookSuspended as typeof watchSuspenseQuery

/** Returns the result for fresh data. Returns undefined in every other case, which the library handles. */
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

/** Returns the result for missing data without a placeholder. Returns undefined in every other case, which the library handles. */
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
  throw new Error('Refetching is not possible while the server renders a page')
}
