import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query'
import { ApiError, fieldsOf } from './api-error.ts'

type DehydratedQuery = DehydratedState['queries'][number]

const OPENING = Buffer.from('[')
const CLOSING = Buffer.from(']')
const ENDING = Buffer.from('}}')

/**
 * Writes every answer and refusal of a page as JSON for a `script` element. Browsers parse JSON several times
 * faster than a script that contains the data as object literals, and the server writes JSON faster too.
 *
 * @returns the JSON in pieces; an answer that several pages share is the same buffer in each page
 */
export function writePageData(queryClient: QueryClient): Buffer[] {
  const { queries } = dehydrate(queryClient, {
    // Leaves out queries that are still loading, and queries that failed with an error other than
    // {@link ApiError}. The browser repeats these queries.
    shouldDehydrateQuery: ({ state, meta }) =>
      state.data === undefined ? state.error instanceof ApiError : !isTooLong(state.data, meta?.mostInPage),
    shouldRedactErrors: () => false,
  })
  return [OPENING, ...queries.flatMap(written), CLOSING]
}

/** Returns whether a list is too long for a page (`meta.mostInPage` of its query). The browser then fetches it. */
function isTooLong(data: unknown, mostInPage: unknown): boolean {
  return Array.isArray(data) && typeof mostInPage === 'number' && data.length > mostInPage
}

/** Serialised answers by object, so that an answer that several pages share is serialised once. */
const WRITTEN = new WeakMap<object, Buffer>()

/** Writes an element of the array of queries, with the comma before it. */
function written({ queryKey, queryHash, state }: DehydratedQuery, index: number): Buffer[] {
  const { data, ...rest } = state
  const fields = `${index > 0 ? ',' : ''}${safe(JSON.stringify({ queryKey, queryHash, state: rest }, asFields))}`
  if (data === undefined) return [Buffer.from(fields)]
  // The data is the last field of the state, which is the last field of the query.
  return [Buffer.from(`${fields.slice(0, -2)},"data":`), dataBytes(data), ENDING]
}

/** Adds the message of an error, which `JSON.stringify` leaves out. */
function asFields(_name: string, value: unknown): unknown {
  return value instanceof ApiError ? fieldsOf(value) : value
}

/** Writes a value as JSON that is safe within a page. An object that many pages share is serialised once. */
export function dataBytes(data: unknown): Buffer {
  if (typeof data !== 'object' || data === null) return Buffer.from(safe(JSON.stringify(data)))
  const known = WRITTEN.get(data)
  if (known !== undefined) return known
  const bytes = Buffer.from(safe(JSON.stringify(data)))
  WRITTEN.set(data, bytes)
  return bytes
}

/** Escapes `<`, so that the JSON cannot end the element that contains it. */
function safe(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`)
}
