import {
  addFavoriteAsset,
  addFavoriteChannel,
  favoriteAssets,
  favoriteChannels,
  removeFavoriteAsset,
  removeFavoriteChannel,
} from '@ondine/contract/favourites'
import type { Context } from '../../../context.ts'
import type { Call, On } from '../../../http/operations.ts'
import { requireAccount } from '../../people/accounts/accounts.service.ts'
import { requireProfile } from '../../people/profiles/profiles.service.ts'
import type { Reader } from '../catalogue/catalogue.presenter.ts'
import * as favourites from './favourites.service.ts'

export function registerFavourites(on: On, { db, viewers, catalogue: parts }: Context): void {
  const readerOf = async (call: Call): Promise<Reader> => ({
    viewer: await viewers.of(call, call.now),
    language: call.language,
    now: call.now,
  })
  /**
   * Returns the id of the token's profile. Throws if the profile was deleted or the password was changed after the
   * token was signed.
   */
  const profileOf = async ({ account, profile }: Call<'profile'>) => {
    await requireAccount(db, account)
    return (await requireProfile(db, account.id, profile.id)).id
  }

  on(
    favoriteChannels,
    async (_input, call) => await favourites.listFavouriteChannels(parts, await readerOf(call)),
  )
  on(favoriteAssets, async (_input, call) => await favourites.listTitles(parts, await readerOf(call)))
  on(addFavoriteChannel, async ({ idChannel }, call) => {
    await favourites.addChannel(db, parts, await profileOf(call), idChannel, await readerOf(call))
    return null
  })
  on(removeFavoriteChannel, async ({ idChannel }, call) => {
    await favourites.removeChannel(db, await profileOf(call), idChannel)
    return null
  })
  on(addFavoriteAsset, async (title, call) => {
    await favourites.addTitle(db, parts, await profileOf(call), title, await readerOf(call))
    return null
  })
  on(removeFavoriteAsset, async (title, call) => {
    await favourites.removeTitle(db, await profileOf(call), title)
    return null
  })
}
