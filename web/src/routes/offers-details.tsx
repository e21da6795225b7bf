import { createFileRoute } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { OfferById } from '../features/viewing/shop/offer-by-id.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'
import { ShopPage } from '../shell/shop-page.tsx'

/** The details of an offer (A2.1-22). */
export const Route = createFileRoute('/_shell/offers/$slug')({
  loader: async ({ context, params: { slug } }) => {
    const id = idInSlug(slug)
    const { loadOffer } = await lateLoaders()
    return { id, ...(await loadOffer(context, id)) }
  },
  head: ({ match, loaderData }) => {
    if (loaderData === undefined) return notFoundHead(match)
    const { title = match.context.words.t('offers.title'), description = '' } = loaderData.offer ?? {}
    return routeHead(match.context, {
      title,
      description,
      path: match.pathname,
      unlisted: loaderData.kind !== 'here',
    })
  },
  component: Screen,
  pendingComponent: TextSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const id = Route.useLoaderData({ select: (data) => data.id })
  return (
    <ShopPage>
      <OfferById id={id} />
    </ShopPage>
  )
}
