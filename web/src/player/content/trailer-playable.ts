import { contentData } from '@ondine/contract/catalogue'
import type { QueryClient } from '@tanstack/react-query'
import type { Content, Playable } from './playable.ts'

/**
 * Returns the title's fields for a trailer, from cached data. The service does not return these fields with a
 * trailer. But a viewer usually comes from the page of the title, whose data is still in the cache.
 */
export function trailerPlayable(idMedia: number, queryClient: QueryClient, fallbackTitle: string): Playable {
  const known = queryClient
    .getQueriesData<Content>({ queryKey: [contentData.name] })
    .map(([, content]) => content?.content)
    .find((content) => content?.payload.trailer?.idMedia === idMedia)
  const [title, detailRoute, backgroundImage] =
    known === undefined
      ? [fallbackTitle, '', null]
      : known.type === 'asset'
        ? [known.payload.title, known.payload.detailRoute, known.payload.backgroundImage]
        : [known.payload.name, known.payload.detailRoute, known.payload.images.background]
  return {
    kind: 'trailer',
    id: idMedia,
    title,
    description: '',
    backgroundImage: known?.payload.isBlurred === true ? null : backgroundImage,
    detailRoute,
    live: false,
    isSerie: false,
    serieId: -1,
    seriesRoute: null,
    metadatas: {},
    isIncludedInUserOffers: true,
    medias: [],
    timeshift: true,
    startOver: false,
    recordable: false,
    endsAt: null,
  }
}
