import type { Asset } from '@ondine/contract/entities'
import { type CardLayout, isUpright } from '../../design/layouts.ts'

/** The picture of an asset that fits a layout best. */
export function assetImage({ posterImage, backgroundImage, thumbnailImage }: Asset, layout: CardLayout) {
  if (isUpright(layout)) return posterImage ?? backgroundImage
  // A title written in the picture would be cut off by the circle.
  if (layout === 'Circle') return backgroundImage ?? thumbnailImage ?? posterImage
  return thumbnailImage ?? backgroundImage ?? posterImage
}
