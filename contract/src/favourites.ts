import * as z from 'zod'
import { channel, item } from './entities.ts'
import { operation } from './operation.ts'
import { id } from './wire.ts'

/** The favourite channels of the active profile, the most recently added first (V7-13). */
export const favoriteChannels = operation({
  method: 'POST',
  path: '/proxy/favoriteChannels',
  as: 'profile',
  child: 'allowed',
  summary: 'The favourite channels of the active profile.',
  input: z.object({}),
  output: z.array(channel),
})

/**
 * The favourite films, episodes, series and categories of the active profile, the most recently added first (V7-13).
 */
export const favoriteAssets = operation({
  method: 'POST',
  path: '/proxy/favoriteAssets',
  as: 'profile',
  child: 'allowed',
  summary: 'The favourite titles of the active profile.',
  input: z.object({}),
  output: z.array(item),
})

/** Adds a channel to the active profile's favourites. Adding it again is not an error (V7-14). */
export const addFavoriteChannel = operation({
  method: 'POST',
  path: '/proxy/addFavoriteChannel',
  as: 'profile',
  child: 'allowed',
  summary: "Adds a channel to the active profile's favourites.",
  input: z.object({ idChannel: id }),
  output: z.null(),
  errors: ['channelNotFound', 'notFound'],
})

/**
 * Removes a channel from the active profile's favourites. Removing a channel that is not a favourite is not an
 * error (V7-14).
 */
export const removeFavoriteChannel = operation({
  method: 'POST',
  path: '/proxy/removeFavoriteChannel',
  as: 'profile',
  child: 'allowed',
  summary: "Removes a channel from the active profile's favourites.",
  input: z.object({ idChannel: id }),
  output: z.null(),
  errors: ['notFound'],
})

/** Either an asset, or a series or category. */
const title = { idAsset: id.optional(), idCategory: id.optional() }

/** Adds a title to the active profile's favourites. Adding it again is not an error (V7-15). */
export const addFavoriteAsset = operation({
  method: 'POST',
  path: '/proxy/addFavoriteAsset',
  as: 'profile',
  child: 'allowed',
  summary: "Adds an asset, a series or a category to the active profile's favourites.",
  input: z.object(title),
  output: z.null(),
  errors: ['contentIdMissing', 'notFound'],
})

/**
 * Removes a title from the active profile's favourites. Removing a title that is not a favourite is not an error
 * (V7-15).
 */
export const removeFavoriteAsset = operation({
  method: 'POST',
  path: '/proxy/removeFavoriteAsset',
  as: 'profile',
  child: 'allowed',
  summary: "Removes an asset, a series or a category from the active profile's favourites.",
  input: z.object(title),
  output: z.null(),
  errors: ['contentIdMissing', 'notFound'],
})
