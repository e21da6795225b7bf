import { activeAssets, liveEvents } from '@ondine/contract/catalogue'
import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import { favoriteAssets, favoriteChannels } from '@ondine/contract/favourites'
import { query } from '../../../api/query.ts'

/** The profile's favourite films, series and categories (V7-13). */
export const favouriteTitlesQuery = query(favoriteAssets, {})

/** The profile's favourite channels (V7-13). */
export const favouriteChannelsQuery = query(favoriteChannels, {})

/** The live events of the account (A2.1-16). */
export const livesQuery = query(liveEvents, {})

/** The titles that the profile has in progress (V4-49). */
export const begunQuery = query(activeAssets, {
  watchingMin: CONTINUE_WATCHING.min,
  watchingMax: CONTINUE_WATCHING.max,
})
