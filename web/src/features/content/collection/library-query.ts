import { activeAssets } from '@ondine/contract/catalogue'
import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { query } from '../../../api/query.ts'

const RENTED = {
  commercialModel: 'TVOD',
  contentTypeFilter: 'movie,episode',
  watchingMin: CONTINUE_WATCHING.min,
  watchingMax: CONTINUE_WATCHING.max,
} as const

const NOW = { ...RENTED, allAssets: 0 }

/** The account's current rentals, the most recent first (A7.3-16). */
export const rentalsQuery = query(activeAssets, NOW)

/** The account's ended rentals (A2.1-28): all rentals except the current ones in {@link rentalsQuery}. */
export const pastRentalsQuery = queryOptions({
  queryKey: [activeAssets.name, 'past rentals'],
  queryFn: async () => {
    const [now, ever] = await Promise.all([
      call(activeAssets, NOW),
      call(activeAssets, { ...RENTED, allAssets: 1 }),
    ])
    const held = new Set(now.map(({ idAsset }) => idAsset))
    return ever.filter(({ idAsset }) => !held.has(idAsset))
  },
})
