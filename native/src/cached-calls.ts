import { aboveLevel } from '@ondine/contract/above-level'
import { session } from '@ondine/contract/accounts'
import {
  activeAssets,
  assets,
  contentData,
  hierarchy,
  homeContent,
  listContent,
  liveEvents,
} from '@ondine/contract/catalogue'
import { epg, epgEvent, epgGrid, listChannels } from '@ondine/contract/channels'
import { editorialData, faqData, listEditorial } from '@ondine/contract/editorial'
import { favoriteAssets, favoriteChannels } from '@ondine/contract/favourites'
import { availableOffers } from '@ondine/contract/offers'
import type { Operation } from '@ondine/contract/operation'
import { listOptions, optionsValidity } from '@ondine/contract/orders'
import { adultCode } from '@ondine/contract/parental-code'
import { listAssetTags } from '@ondine/contract/playback'
import { listAvatars, listProfiles } from '@ondine/contract/profiles'
import { PUBLICATION_PATH } from '@ondine/contract/publication'
import { listRecordings, listSeriesRecordings, readQuota, readRecording } from '@ondine/contract/recordings'
import { aISummary } from '@ondine/contract/review-summaries'
import { assetScore } from '@ondine/contract/scores'
import { related, search } from '@ondine/contract/search'
import type { ServiceCall } from './service-call.ts'

/**
 * Calls whose answers the app caches: read-only calls for screens. Calls whose answers contain tokens, stream
 * URLs, licences, receipts or personal details are excluded. `cached-calls.test.ts` checks the answers for
 * secrets.
 */
export const CACHED_CALLS: readonly Pick<Operation, 'method' | 'path'>[] = [
  aboveLevel,
  activeAssets,
  adultCode,
  aISummary,
  assets,
  assetScore,
  availableOffers,
  contentData,
  editorialData,
  epg,
  epgEvent,
  epgGrid,
  faqData,
  favoriteAssets,
  favoriteChannels,
  hierarchy,
  homeContent,
  listAssetTags,
  listAvatars,
  listChannels,
  listContent,
  listEditorial,
  listOptions,
  listProfiles,
  listRecordings,
  listSeriesRecordings,
  liveEvents,
  optionsValidity,
  readQuota,
  readRecording,
  related,
  search,
  session,
  { method: 'POST', path: PUBLICATION_PATH },
]

/** Files that are the same for all viewers: the configuration and the texts. */
const PUBLIC_FILES = /^\/(?:configuration|translations)\//

const PATTERNS = CACHED_CALLS.map(({ method, path }) => ({
  method,
  path: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

/** Returns whether the app caches the answer to a call. False for calls with a proof of the parental code. */
export function isCached({ url, method, body }: Pick<ServiceCall, 'url' | 'method' | 'body'>): boolean {
  const { pathname, searchParams } = new URL(url)
  if (method === 'GET' && PUBLIC_FILES.test(pathname)) return true
  if (searchParams.has('parentalProof') || new URLSearchParams(body).has('parentalProof')) return false
  return PATTERNS.some((pattern) => pattern.method === method && pattern.path.test(pathname))
}
