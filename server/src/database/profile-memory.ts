import { LRUCache } from 'lru-cache'
import type { Changes, Topic } from './changes.ts'

/** Maximum number of cached profiles. */
const MOST_PROFILES = 20_000

/**
 * Caches a value by profile. A committed change removes the profile's value from the cache.
 *
 * @param topic topic that reports changes of the value, by profile
 * @param nothing value for callers without a profile
 */
export function rememberByProfile<Known extends object>(
  changes: Changes,
  topic: Topic,
  nothing: Known,
  load: (profileId: number) => Promise<Known>,
): (profileId: number | null) => Promise<Known> {
  const known = new LRUCache<number, Known>({
    max: MOST_PROFILES,
    fetchMethod: async (profileId) => await load(profileId),
    // A change during a read evicts the value. Callers that wait for the read still get the value, but the cache
    // does not keep it.
    ignoreFetchAbort: true,
  })
  changes.on(topic, (ids) => {
    if (ids === null) known.clear()
    else for (const id of ids) known.delete(id)
  })
  return async (profileId) => (profileId === null ? nothing : await known.forceFetch(profileId))
}
