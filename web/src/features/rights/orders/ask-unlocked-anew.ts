import type { QueryClient } from '@tanstack/react-query'
import { configurationQuery } from '../../ground/configuration/configuration-query.ts'
import { orderQuery } from './order-query.ts'

/** Names of the queries that do not depend on the account's rights. */
const KEPT: ReadonlySet<unknown> = new Set([
  configurationQuery.queryKey[0],
  orderQuery(undefined).queryKey[0],
])

/** Refetches all data that a purchase or a gift may have unlocked (A4.8-07). */
export async function askUnlockedAnew(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) })
}
