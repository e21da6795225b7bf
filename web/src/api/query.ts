import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { hashOf } from './query-hash.ts'

/**
 * Wraps a call as a query of TanStack Query. Its key is the call's name and input, so that equal calls share one
 * answer.
 */
export function query<O extends Operation>(operation: O, input: InputOf<O>) {
  const queryKey = [operation.name, input] as const
  return queryOptions({
    queryKey,
    // Computed here once. The query library would compute the hash on each page.
    queryHash: hashOf(queryKey),
    queryFn: (): Promise<OutputOf<O>> => call(operation, input),
  })
}
