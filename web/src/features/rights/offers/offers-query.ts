import { availableOffers, type SoldType } from '@ondine/contract/offers'
import { query } from '../../../api/query.ts'

/** All offers on sale, the cheapest first. */
export const offersQuery = query(availableOffers, { contentType: 'VOD_ASSET' })

/** The offers for a title or a channel, the cheapest first. */
export function offersOfQuery(contentId: number, contentType: SoldType = 'VOD_ASSET') {
  return query(availableOffers, { contentId, contentType })
}
