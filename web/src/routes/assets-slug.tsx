import { createFileRoute, redirect } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { AssetScreen } from '../features/content/catalogue/asset-screen.tsx'
import { categoriesOf } from '../features/content/catalogue/categories-of.ts'
import { AssetSkeleton } from '../features/content/catalogue/detail-skeletons.tsx'
import { assetQuery, prefetchOpinions, relatedQuery } from '../features/content/catalogue/queries.ts'
import { DownloadAction } from '../features/content/downloads/download-action.tsx'
import { loadSubject } from '../features/people/parental/above-level.ts'
import { lateLoaders } from '../shell/late-loaders.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/content/$slug')({
  loader: async ({ context, params }) => {
    const { queryClient } = context
    const id = idInSlug(params.slug)
    const [{ content }] = await Promise.all([
      loadSubject(
        queryClient,
        { contentType: 'asset', contentId: id },
        queryClient.ensureQueryData(assetQuery(id)),
      ),
      queryClient.prefetchQuery(relatedQuery('asset', id)),
      prefetchOpinions(queryClient, { idAsset: id }),
    ])
    if (content.type !== 'asset') throw redirect({ to: content.payload.detailRoute })
    const { loadUnlocking } = await lateLoaders()
    await loadUnlocking(context, content.payload)
    return { id, asset: content.payload, categoryIds: categoriesOf([content.payload]) }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.asset.title,
          description: loaderData.asset.description || loaderData.asset.tagline,
          path: loaderData.asset.detailRoute,
          image: loaderData.asset.isBlurred
            ? null
            : (loaderData.asset.backgroundImage ?? loaderData.asset.posterImage),
          kind: loaderData.asset.isSerie ? 'video.episode' : 'video.movie',
        }),
  component: Screen,
  pendingComponent: AssetSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const id = Route.useLoaderData({ select: (data) => data.id })
  return (
    <AssetScreen
      key={id}
      id={id}
      renderDownload={(asset, subtitle) => <DownloadAction asset={asset} subtitle={subtitle} />}
    />
  )
}
