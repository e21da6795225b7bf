import { SHUFFLES } from '@ondine/contract/catalogue'
import { kept } from '@ondine/web/api/kept'
import { VISIT_COOKIE } from '@ondine/web/api/page-context'
import type { ResponseCache } from './response-cache.ts'

/**
 * Returns the seed of this visit's random orders (V3-54). Called after the configuration was fetched. If the
 * configuration came from the cache, nothing or little arrives from the service. The seed of the last visit is then
 * reused, because the cached answers belong to that seed.
 */
export function visitSeed(cache: Pick<ResponseCache, 'hasAnswered'>): string {
  const last = cache.hasAnswered() ? kept(VISIT_COOKIE) : undefined
  const [chance = 0] = crypto.getRandomValues(new Uint8Array(1))
  return last ?? String(chance % SHUFFLES)
}
