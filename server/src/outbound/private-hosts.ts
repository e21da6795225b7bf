import { lookup } from 'node:dns/promises'
import { isAllowed } from './fetch-outside.ts'

/** Resolves a name. */
export type LookUp = (host: string) => Promise<readonly { address: string }[]>

/** Maximum number of names that are resolved at the same time. The threads that resolve names also read files. */
const AT_ONCE = 2
/** Time limit for all names, in milliseconds. Names that are not resolved by then are checked when they are fetched. */
const PATIENCE_MS = 10_000

/**
 * Returns the hosts that resolve to private addresses, as far as this is known in time. Hosts without an
 * address, or without an answer in time, are not included. A later fetch checks its connection again.
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
  // A copy, so that answers that arrive after the time limit do not change it.
  return new Set(found)
}

async function lookUp(host: string): Promise<readonly { address: string }[]> {
  try {
    return await lookup(host, { all: true })
  } catch (error) {
    // The host has no address now. It may have an address later, when a viewer plays the stream.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
