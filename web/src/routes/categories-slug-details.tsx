import { createFileRoute, redirect } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { categoriesOf } from '../features/content/catalogue/categories-of.ts'
import { SeriesSkeleton } from '../features/content/catalogue/detail-skeletons.tsx'
import { prefetchOpinions, relatedQuery, seriesQuery } from '../features/content/catalogue/queries.ts'
import { SeriesScreen } from '../features/content/catalogue/series-screen.tsx'
import { SeasonAction } from '../features/content/downloads/download-action.tsx'
import { countIn, queryReader } from '../features/ground/links/read-query.ts'
import { loadSubject } from '../features/people/parental/above-level.ts'
import { lateLoaders } from '../shell/late-loaders.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({ seasonid: countIn })

export const Route = createFileRoute('/_shell/series/$slug/details')({
  validateSearch: readAddress,
  loader: async ({ context, params }) => {
    const { queryClient } = context
    const id = idInSlug(params.slug)
    const [{ content, resume }] = await Promise.all([
      loadSubject(
        queryClient,
        { contentType: 'category', contentId: id },
        queryClient.ensureQueryData(seriesQuery(id)),
      ),
      queryClient.prefetchQuery(relatedQuery('category', id)),
      prefetchOpinions(queryClient, { idCategory: id }),
    ])
    if (content.type !== 'category' || !content.payload.isSerie) {
      throw redirect({ to: content.payload.detailRoute })
    }
    if (resume !== null) {
      const { loadUnlocking } = await lateLoaders()
      await loadUnlocking(context, resume)
    }
    const { name, synopsis, tagline, detailRoute, images, isBlurred, categories, assets } = content.payload
    const episodes = [...categories.flatMap((season) => season.assets), ...assets]
    return {
      id,
      name,
      description: synopsis || tagline,
      detailRoute,
      image: isBlurred ? null : (images.background ?? images.poster),
      categoryIds: categoriesOf(episodes),
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.name,
          description: loaderData.description,
          path: loaderData.detailRoute,
          image: loaderData.image,
          kind: 'video.tv_show',
        }),
  component: Screen,
  pendingComponent: SeriesSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const id = Route.useLoaderData({ select: (data) => data.id })
  const { seasonid } = Route.useSearch()
  return (
    <SeriesScreen
      key={id}
      id={id}
      seasonId={seasonid}
      renderDownload={(episodes, series) => <SeasonAction episodes={episodes} series={series} />}
    />
  )
}
