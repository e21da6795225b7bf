import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { ApiError, fieldsOf } from './api-error.ts'

/** The element that carries what a page was made from, so that the browser asks for none of it again. */
export const PAGE_DATA_ID = 'page-data'

/** Stands in that element until the page is drawn: only then is it known what it was made from. */
export const PAGE_DATA_MARK = '"what this page was made from"'

type DehydratedQuery = DehydratedState['queries'][number]

/**
 * Every answer and refusal that a page was made from, as JSON that may stand inside a `script` element. It is written as
 * text and not as a program: a browser reads that several times faster, and so does the server write it.
 */
export function writePageData(queryClient: QueryClient): string {
  const { queries } = dehydrate(queryClient, {
    // What failed of itself and not by an answer is tried again.
    shouldDehydrateQuery: ({ state }) => state.data !== undefined || state.error instanceof ApiError,
    shouldRedactErrors: () => false,
  })
  return `[${queries.map(written).join(',')}]`
}

/** Puts what {@link writePageData} wrote into a browser's query client. */
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

/** Answers as they were last written: those that pages share are written once. */
const WRITTEN = new WeakMap<object, string>()

function written({ queryKey, queryHash, state }: DehydratedQuery): string {
  const { data, ...rest } = state
  const fields = safe(JSON.stringify({ queryKey, queryHash, state: rest }, asFields))
  // The data is the last field of the state, which is the last field of the query.
  return data === undefined ? fields : `${fields.slice(0, -2)},"data":${dataText(data)}}}`
}

/** JSON would leave the message out of an error. */
function asFields(_name: string, value: unknown): unknown {
  return value instanceof ApiError ? fieldsOf(value) : value
}

function dataText(data: unknown): string {
  if (typeof data !== 'object' || data === null) return safe(JSON.stringify(data))
  const known = WRITTEN.get(data)
  if (known !== undefined) return known
  const text = safe(JSON.stringify(data))
  WRITTEN.set(data, text)
  return text
}

/** Nothing in it can end the element that it stands in. */
function safe(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`)
}
