import { type DehydratedState, hydrate, type QueryClient } from '@tanstack/react-query'
import { ApiError, type fieldsOf } from './api-error.ts'

/** The element that carries what a page was made from, so that the browser asks for none of it again. */
export const PAGE_DATA_ID = 'page-data'

type DehydratedQuery = DehydratedState['queries'][number]

/** Puts what `writePageData` wrote into a browser's query client. */
export function readPageData(queryClient: QueryClient, text: string): void {
  const queries = JSON.parse(text) as DehydratedQuery[]
  for (const { state } of queries) {
    if (state.error === null) continue
    const fault: unknown = state.error
    state.error = new ApiError(fault as ReturnType<typeof fieldsOf>)
    state.fetchFailureReason = state.error
  }
  hydrate(queryClient, { queries })
}
