import type { Channel, Item } from '@ondine/contract/entities'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { invalidFields, notFoundBy, ServiceError } from '../../../http/errors.ts'
import { cardsOf, type NamedTitle } from '../catalogue/cards.service.ts'
import type { Reader } from '../catalogue/catalogue.presenter.ts'
import type { CatalogueParts, Kept } from '../catalogue/catalogue.service.ts'
import { favourites } from './favourites.table.ts'

/**
 * Returns a profile's favourites. Skips titles that are no longer in the catalogue, titles above a child's level,
 * and series without visible episodes.
 */
export async function listTitles(parts: CatalogueParts, reader: Reader): Promise<Item[]> {
  const { titles } = await parts.favouritesOf(reader.viewer.profileId)
  const cards = await cardsOf(
    parts,
    {
      assetIds: titles.flatMap((title) => ('assetId' in title ? title.assetId : [])),
      serieIds: titles.flatMap((title) => ('categoryId' in title ? title.categoryId : [])),
    },
    reader,
  )
  return titles.flatMap((title): Item[] => {
    if ('assetId' in title) {
      const payload = cards.assets.get(title.assetId)
      return payload ? [{ type: 'asset', payload }] : []
    }
    const payload = cards.series.get(title.categoryId)
    return payload && payload.absolute_asset_number > 0 ? [{ type: 'category', payload }] : []
  })
}

/** Returns the favourite channels that the profile may see. */
export async function listFavouriteChannels(
  { channels, favouritesOf }: CatalogueParts,
  { viewer, language, now }: Reader,
): Promise<Channel[]> {
  const { channelIds } = await favouritesOf(viewer.profileId)
  if (channelIds.length === 0) return []
  const items = await channels.items(viewer, language, now)
  const byId = new Map(items.map(({ payload }) => [payload.idChannel, payload]))
  return channelIds.flatMap((id) => {
    const channel = byId.get(id)
    return channel ? [{ ...channel, isFavorite: true }] : []
  })
}

/**
 * Adds a channel to the favourites of a profile. The profile must be allowed to see the channel. @throws
 * ServiceError channelNotFound
 */
export async function addChannel(
  db: Database,
  { channels }: CatalogueParts,
  profileId: number,
  channelId: number,
  { viewer, language, now }: Reader,
): Promise<void> {
  const items = await channels.items(viewer, language, now)
  if (!items.some(({ payload }) => payload.idChannel === channelId)) throw new ServiceError('channelNotFound')
  await db.insert(favourites).values({ profileId, channelId }).onConflictDoNothing()
}

export async function removeChannel(db: Database, profileId: number, channelId: number): Promise<void> {
  await db
    .delete(favourites)
    .where(and(eq(favourites.profileId, profileId), eq(favourites.channelId, channelId)))
}

/**
 * Adds a title to the favourites of a profile. The profile must be allowed to see the title. @throws ServiceError
 * contentIdMissing, notFound
 */
export async function addTitle(
  db: Database,
  parts: CatalogueParts,
  profileId: number,
  named: NamedTitle,
  reader: Reader,
): Promise<void> {
  const title = titleOf(named)
  const wanted = {
    assetIds: 'assetId' in title ? [title.assetId] : [],
    serieIds: 'categoryId' in title ? [title.categoryId] : [],
  }
  const { assets, series } = await cardsOf(parts, wanted, reader)
  if (assets.size + series.size === 0) throw notFoundBy('assetId' in title ? 'idAsset' : 'idCategory')
  await db
    .insert(favourites)
    .values({ profileId, ...title })
    .onConflictDoNothing()
}

/** Removes a title from the favourites of a profile. @throws ServiceError contentIdMissing */
export async function removeTitle(db: Database, profileId: number, named: NamedTitle): Promise<void> {
  const title = titleOf(named)
  const is =
    'assetId' in title ? eq(favourites.assetId, title.assetId) : eq(favourites.categoryId, title.categoryId)
  await db.delete(favourites).where(and(eq(favourites.profileId, profileId), is))
}

function titleOf({ idAsset, idCategory }: NamedTitle): Kept['titles'][number] {
  if (idAsset !== undefined && idCategory !== undefined)
    throw invalidFields([{ field: 'idCategory', message: 'must not be sent together with idAsset' }])
  if (idAsset !== undefined) return { assetId: idAsset }
  if (idCategory !== undefined) return { categoryId: idCategory }
  throw new ServiceError('contentIdMissing')
}
