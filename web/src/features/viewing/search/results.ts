import type { Asset } from '@ondine/contract/entities'
import type { SearchResult } from '@ondine/contract/search'
import type { TFunction } from 'i18next'
import { assetKind } from '../../content/catalogue/asset-kind.ts'
import { episodeText } from '../../content/catalogue/episode-text.ts'
import { programmePath } from '../../television/schedule/programme-path.ts'

/** Returns the title of a result. */
export function resultTitle({ item }: SearchResult): string {
  return item.type === 'series' ? item.payload.name : item.payload.title
}

/** Returns what kind of title a result is: for an episode its series and its number, for any other title a word. */
export function titleKind(asset: Asset, t: TFunction): string {
  if (!asset.isSerie) return assetKind(asset, t)
  const { AD_SURTITLE: series } = asset.directMetadata
  return [...(series === undefined ? [] : [series]), episodeText(asset, t)].join(' · ')
}

/** Returns a key that is unique among results. */
export function resultKey({ item }: SearchResult): string {
  return `${item.type} ${item.type === 'asset' ? item.payload.idAsset : item.type === 'series' ? item.payload.idCatalog : item.payload.id}`
}

/** Returns the path of a result's page. */
export function resultPath({ item }: SearchResult): string {
  return item.type === 'programme' ? programmePath(item.payload) : item.payload.detailRoute
}
