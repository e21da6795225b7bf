import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../accounts/session.ts'
import { configurationQuery } from '../configuration/configuration-query.ts'
import { menusQuery } from '../publication/publication-query.ts'

/** Every page is drawn with these. */
const NEEDED: ReadonlySet<unknown> = new Set(
  [sessionQuery, configurationQuery, menusQuery].map(({ queryKey }) => queryKey[0]),
)

/** Forgets what was fetched and is not on the screen, so that the next page asks for it anew. */
export function dropUnseen(queries: QueryClient): void {
  queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => !NEEDED.has(queryKey[0]) })
}
