import { listContent } from '@ondine/contract/catalogue'
import type { Offer } from '@ondine/contract/offers'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** The first episode of a season; null without one. A purchase of the season names it, because a purchase names a title. */
export function firstEpisodeQuery(seasonId: number) {
  return queryOptions({
    queryKey: ['firstEpisode', seasonId],
    queryFn: async () => {
      const [item] = await call(listContent, { id: seasonId, limit: 1 })
      return item?.type === 'asset' ? item.payload : null
    },
  })
}

/** Returns the id of the season that an offer is for. An answer of the previous release has no seasons. */
export function seasonOf({ season }: Partial<Pick<Offer['objectIds'], 'season'>>): number | undefined {
  return season?.[0]
}
