import type { Asset, Category, Image } from '@ondine/contract/entities'
import type { ImageKind } from '@ondine/contract/images'
import type { Context } from '../../../context.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import type { ChannelItem } from '../../content/catalogue/channels-on-air.ts'
import { programmeOf } from '../../television/channels/event.service.ts'
import { imageOfArticle } from '../editorial/editorial.service.ts'

/** Types of objects that have pictures. */
export type PicturedType = 'asset' | 'category' | 'channel' | 'programme' | 'editorial'

/**
 * Returns the picture of an object that the reader may see. If an object is hidden from a child's profile,
 * its picture is hidden too.
 *
 * @returns undefined if there is no such object, or it has no such picture
 */
export async function objectImage(
  { catalogue, db }: Pick<Context, 'catalogue' | 'db'>,
  type: PicturedType,
  objectId: number,
  kind: ImageKind,
  reader: Reader & { storefrontId: number },
): Promise<Image | undefined> {
  if (type === 'programme' || type === 'editorial') {
    // A programme and a text have only one picture, which is wide.
    if (kind === 'poster' || kind === 'logo') return undefined
    return type === 'editorial'
      ? await imageOfArticle(db, reader, objectId)
      : ((await programmeOf(db, reader.viewer, reader.language, objectId))?.image ?? undefined)
  }
  if (type === 'channel') {
    const items = await catalogue.channels.items(reader.viewer, reader.language, reader.now)
    const item = items.find(({ payload }) => payload.idChannel === objectId)
    return (item && imagesOfChannel(item)[kind]) ?? undefined
  }
  const view = await catalogue.memory.view(reader)
  if (type === 'category') {
    const row = view.categoryRow(objectId)
    return (row && view.category(row).images[kind]) ?? undefined
  }
  const row = view.assetRow(objectId)
  return (row && imagesOfAsset(view.asset(row))[kind]) ?? undefined
}

function imagesOfAsset(asset: Asset): Category['images'] {
  return {
    default: asset.thumbnailImage ?? asset.backgroundImage ?? asset.posterImage,
    background: asset.backgroundImage,
    poster: asset.posterImage,
    portrait: asset.portraitImage,
    logo: asset.logoImage,
  }
}

/** Returns the pictures of a channel: its logo, and as background the picture of the current programme. */
function imagesOfChannel({ payload, programme }: ChannelItem): Category['images'] {
  return {
    default: payload.logoImage,
    background: programme?.image ?? null,
    poster: null,
    portrait: null,
    logo: payload.logoImage,
  }
}
