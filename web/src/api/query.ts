import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { hashOf } from './query-hash.ts'

/** A call as a query: its key is the call's name and its input, so that equal questions share one answer. */
export function query<O extends Operation>(operation: O, input: InputOf<O>) {
  const queryKey = [operation.name, input] as const
  return queryOptions({
    queryKey,
    // Computed once for questions that every page asks.
    queryHash: hashOf(queryKey),
    queryFn: (): Promise<OutputOf<O>> => call(operation, input),
  })
}
