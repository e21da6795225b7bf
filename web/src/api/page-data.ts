import { type DehydratedState, hydrate, type QueryClient } from '@tanstack/react-query'
import { ApiError, type fieldsOf } from './api-error.ts'

/** The id of the element with the page's query data. The browser reads the data there, and does not fetch it again. */
export const PAGE_DATA_ID = 'page-data'

type DehydratedQuery = DehydratedState['queries'][number]

/** Loads the output of `writePageData` into the browser's query client. */
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
