import { LRUCache } from 'lru-cache'
import type { Changes, Topic } from './changes.ts'

/** Maximum number of cached profiles. */
const MOST_PROFILES = 20_000

/**
 * Caches a value by profile. A committed change removes the profile's value from the cache.
 *
 * @param topic topic that reports changes of the value, by profile
 * @param nothing value without a profile
 */
export function rememberByProfile<Known>(
  changes: Changes,
  topic: Topic,
  nothing: Known,
  load: (profileId: number) => Promise<Known>,
): (profileId: number | null) => Promise<Known> {
  const known = new LRUCache<number, Promise<Known>>({ max: MOST_PROFILES })
  changes.on(topic, (ids) => {
    if (ids === null) known.clear()
    else for (const id of ids) known.delete(id)
  })
  return async (profileId) => {
    if (profileId === null) return nothing
    const remembered = known.get(profileId)
    if (remembered) return await remembered
    const loading = load(profileId)
    known.set(profileId, loading)
    try {
      return await loading
    } catch (error) {
      if (known.get(profileId) === loading) known.delete(profileId)
      throw error
    }
  }
}
