import { lookup } from 'node:dns/promises'
import { isAllowed } from './fetch-outside.ts'

/** Looks a name up. */
export type LookUp = (host: string) => Promise<readonly { address: string }[]>

/** Names that are looked up at once: the threads that do it also read files. */
const AT_ONCE = 2
/** For all of them, in milliseconds. What has not been answered by then is found out when it is fetched. */
const PATIENCE_MS = 10_000

/**
 * Which of some hosts lead into a private network, as far as that can be found out now: what has no address, or no answer in time, is
 * not among them. The fetch itself looks again, on the very connection that it uses.
 *
 * @param allow private places that the operator allows.
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
  // What is answered later changes nothing any more.
  return new Set(found)
}

async function lookUp(host: string): Promise<readonly { address: string }[]> {
  try {
    return await lookup(host, { all: true })
  } catch (error) {
    // It has no address now; it may have one when it is played.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
