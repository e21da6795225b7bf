import { hashKey, type QueryKey } from '@tanstack/react-query'

const HASHES = new WeakMap<QueryKey, string>()

/** Returns the query library's hash of a key, computed once for a key that many pages use. */
export function hashOf(key: QueryKey): string {
  const known = HASHES.get(key) ?? hashKey(key)
  HASHES.set(key, known)
  return known
}
