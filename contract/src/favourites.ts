import * as z from 'zod'
import { channel, item } from './entities.ts'
import { operation } from './operation.ts'
import { id } from './wire.ts'

/** The active profile's favourite channels, the last added first (V7-13). */
export const favoriteChannels = operation({
  method: 'POST',
  path: '/proxy/favoriteChannels',
  as: 'profile',
  child: 'allowed',
  summary: 'The favourite channels of the active profile.',
  input: z.object({}),
  output: z.array(channel),
})

/** The active profile's favourite films, episodes, series and categories, the last added first (V7-13). */
export const favoriteAssets = operation({
  method: 'POST',
  path: '/proxy/favoriteAssets',
  as: 'profile',
  child: 'allowed',
  summary: 'The favourite titles of the active profile.',
  input: z.object({}),
  output: z.array(item),
})

/** Adds a channel to the active profile's favourites. Adding one twice is no error (V7-14). */
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

/** Takes a channel out of the active profile's favourites; one that is none is no error (V7-14). */
export const removeFavoriteChannel = operation({
  method: 'POST',
  path: '/proxy/removeFavoriteChannel',
  as: 'profile',
  child: 'allowed',
  summary: "Takes a channel out of the active profile's favourites.",
  input: z.object({ idChannel: id }),
  output: z.null(),
  errors: ['notFound'],
})

/** One of both: an asset, or a series or category. */
const title = { idAsset: id.optional(), idCategory: id.optional() }

/** Adds a title to the active profile's favourites. Adding one twice is no error (V7-15). */
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

/** Takes a title out of the active profile's favourites; one that is none is no error (V7-15). */
export const removeFavoriteAsset = operation({
  method: 'POST',
  path: '/proxy/removeFavoriteAsset',
  as: 'profile',
  child: 'allowed',
  summary: "Takes an asset, a series or a category out of the active profile's favourites.",
  input: z.object(title),
  output: z.null(),
  errors: ['contentIdMissing', 'notFound'],
})
