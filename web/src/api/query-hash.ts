import { hashKey, type QueryKey } from '@tanstack/react-query'

const HASHES = new WeakMap<QueryKey, string>()

/** What names a query, as the library computes it: once for a key that many pages ask with. */
export function hashOf(key: QueryKey): string {
  const known = HASHES.get(key) ?? hashKey(key)
  HASHES.set(key, known)
  return known
}
