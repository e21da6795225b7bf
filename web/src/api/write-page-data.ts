import { type DehydratedState, dehydrate, type QueryClient } from '@tanstack/react-query'
import { ApiError, fieldsOf } from './api-error.ts'

type DehydratedQuery = DehydratedState['queries'][number]

const OPENING = Buffer.from('[')
const CLOSING = Buffer.from(']')
const ENDING = Buffer.from('}}')

/**
 * Every answer and refusal that a page was made from, as JSON that may stand inside a `script` element. It is written as
 * text and not as a program: a browser reads that several times faster, and so does the server write it.
 *
 * @returns it in pieces: those of answers that pages share are the same bytes
 */
export function writePageData(queryClient: QueryClient): Buffer[] {
  const { queries } = dehydrate(queryClient, {
    // What failed of itself and not by an answer is tried again.
    shouldDehydrateQuery: ({ state, meta }) =>
      state.data === undefined ? state.error instanceof ApiError : !isTooLong(state.data, meta?.mostInPage),
    shouldRedactErrors: () => false,
  })
  return [OPENING, ...queries.flatMap(written), CLOSING]
}

/** Whether a list is too long for a page (`meta.mostInPage` of its query): the browser asks for it itself. */
function isTooLong(data: unknown, mostInPage: unknown): boolean {
  return Array.isArray(data) && typeof mostInPage === 'number' && data.length > mostInPage
}

/** Answers as they were last written: those that pages share are written once. */
const WRITTEN = new WeakMap<object, Buffer>()

/** A query with what follows it in the list. */
function written({ queryKey, queryHash, state }: DehydratedQuery, index: number): Buffer[] {
  const { data, ...rest } = state
  const fields = `${index > 0 ? ',' : ''}${safe(JSON.stringify({ queryKey, queryHash, state: rest }, asFields))}`
  if (data === undefined) return [Buffer.from(fields)]
  // The data is the last field of the state, which is the last field of the query.
  return [Buffer.from(`${fields.slice(0, -2)},"data":`), dataBytes(data), ENDING]
}

/** JSON would leave the message out of an error. */
function asFields(_name: string, value: unknown): unknown {
  return value instanceof ApiError ? fieldsOf(value) : value
}

/** A value as JSON that may stand in a page. Written once for an object that many pages share. */
export function dataBytes(data: unknown): Buffer {
  if (typeof data !== 'object' || data === null) return Buffer.from(safe(JSON.stringify(data)))
  const known = WRITTEN.get(data)
  if (known !== undefined) return known
  const bytes = Buffer.from(safe(JSON.stringify(data)))
  WRITTEN.set(data, bytes)
  return bytes
}

/** Nothing in it can end the element that it stands in. */
function safe(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`)
}
