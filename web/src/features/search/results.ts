import type { SearchResult } from '@ondine/contract/search'

/** What a result is called. */
export function resultTitle({ item }: SearchResult): string {
  return item.type === 'series' ? item.payload.name : item.payload.title
}

/** Names a result among others. */
export function resultKey({ item }: SearchResult): string {
  return `${item.type} ${item.type === 'asset' ? item.payload.idAsset : item.type === 'series' ? item.payload.idCatalog : item.payload.id}`
}

/** Where a result leads: a programme that only the guide has, to its channel. */
export function resultPath({ item }: SearchResult): string {
  return item.type === 'programme' ? item.channel.detailRoute : item.payload.detailRoute
}
