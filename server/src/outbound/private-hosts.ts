import { lookup } from 'node:dns/promises'
import { isAllowed } from './fetch-outside.ts'

/** Resolves a host name. */
export type LookUp = (host: string) => Promise<readonly { address: string }[]>

/** Maximum number of names resolved at the same time. Name resolution occupies threads that also read files. */
const AT_ONCE = 2
/**
 * Time limit for all names, in milliseconds. Names that are unresolved by then are checked when they are fetched.
 */
const PATIENCE_MS = 10_000

/**
 * Returns the hosts that resolve to private addresses. Skips hosts without an address, and hosts whose name does
 * not resolve within the time limit. A later fetch checks its own connection again.
 *
 * @param allow private hosts that the operator allows.
 */
export async function privateHosts(
  hosts: Iterable<string>,
  allow: readonly string[],
  { look = lookUp, patienceMs = PATIENCE_MS }: { look?: LookUp; patienceMs?: number } = {},
): Promise<Set<string>> {
  const waiting = [...new Set(hosts)]
  const found = new Set<string>()
  async function work(): Promise<void> {
    for (let host = waiting.shift(); host !== undefined; host = waiting.shift()) {
      const addresses = await look(host)
      if (addresses.some(({ address }) => !isAllowed(host, address, allow))) found.add(host)
    }
  }
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  try {
    await Promise.race([over, Promise.all(Array.from({ length: AT_ONCE }, work))])
  } finally {
    waiting.length = 0
    clearTimeout(timer)
  }
  // Returns a copy, because lookups that end after the time limit still add to `found`.
  return new Set(found)
}

async function lookUp(host: string): Promise<readonly { address: string }[]> {
  try {
    return await lookup(host, { all: true })
  } catch (error) {
    // The host has no address now, but may have one later, when a viewer plays the stream.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
