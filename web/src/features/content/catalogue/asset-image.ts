import type { Asset } from '@ondine/contract/entities'
import { type CardLayout, isUpright } from '../../../design/tokens/layouts.ts'

/** Returns the picture of an asset that fits a layout best. */
export function assetImage({ posterImage, backgroundImage, thumbnailImage }: Asset, layout: CardLayout) {
  if (isUpright(layout)) return posterImage ?? backgroundImage
  // The circle would cut off a title that is part of the picture.
  if (layout === 'Circle') return backgroundImage ?? thumbnailImage ?? posterImage
  return thumbnailImage ?? backgroundImage ?? posterImage
}
