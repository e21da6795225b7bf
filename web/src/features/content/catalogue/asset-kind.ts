import type { Asset } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import { eventInterval } from './asset-tags.ts'

/** Returns the kind of an asset: a film, an event or an episode. */
export function assetKind(asset: Asset, t: TFunction): string {
  if (asset.isSerie) return t('kind.episode')
  return t(eventInterval(asset) === undefined ? 'kind.film' : 'kind.event')
}
