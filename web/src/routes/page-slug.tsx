import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { FaqScreen } from '../features/content/editorial/faq-screen.tsx'
import { PageListScreen } from '../features/content/editorial/page-list-screen.tsx'
import { PageScreen } from '../features/content/editorial/page-screen.tsx'
import { faqQuery, pageQuery, pagesQuery, summaryOf } from '../features/content/editorial/queries.ts'
import { faqStructure } from '../features/content/editorial/structured-data.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, pageContentHead, routeHead } from '../shell/route-head.ts'

const FAQ = 'faq'

/**
 * An editorial page, or without a slug the list of all pages (V2.1-22). The slug `faq` shows questions and answers
 * (spec 42).
 */
export const Route = createFileRoute('/_shell/page/{-$slug}')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if (slug === undefined) await load(queryClient.ensureQueryData(pagesQuery))
    else if (slug === FAQ)
      await Promise.all([
        load(queryClient.ensureQueryData(faqQuery)),
        // The questions are shown even without the link to the page for help.
        queryClient.prefetchQuery(pagesQuery),
      ])
    else return { summary: summaryOf((await load(queryClient.ensureQueryData(pageQuery(slug)))).content) }
    return {}
  },
  head: ({ match, loaderData, params: { slug } }) => {
    const { context, pathname } = match
    const { t } = context.words
    if (loaderData === undefined) return notFoundHead(match)
    if (loaderData.summary !== undefined) return pageContentHead(context, loaderData.summary)
    if (slug === undefined)
      return routeHead(context, { title: t('editorial.allPages'), description: '', path: pathname })
    const groups = context.queryClient.getQueryData(faqQuery.queryKey)
    return routeHead(context, {
      title: t('editorial.faq'),
      description: t('editorial.faqLead'),
      path: pathname,
      data: groups && faqStructure(groups),
    })
  },
  component: Screen,
  pendingComponent: TextSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { slug } = Route.useParams()
  if (slug === undefined) return <PageListScreen />
  return slug === FAQ ? <FaqScreen /> : <PageScreen key={slug} slug={slug} />
}
