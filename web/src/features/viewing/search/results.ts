import type { SearchResult } from '@ondine/contract/search'

/** Returns the title of a result. */
export function resultTitle({ item }: SearchResult): string {
  return item.type === 'series' ? item.payload.name : item.payload.title
}

/** Returns a key that is unique among results. */
export function resultKey({ item }: SearchResult): string {
  return `${item.type} ${item.type === 'asset' ? item.payload.idAsset : item.type === 'series' ? item.payload.idCatalog : item.payload.id}`
}

/** Returns the path of a result. For a programme without a library title, returns the path of its channel. */
export function resultPath({ item }: SearchResult): string {
  return item.type === 'programme' ? item.channel.detailRoute : item.payload.detailRoute
}
