import { createFileRoute } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { load } from '../api/load.ts'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { PageScreen } from '../features/content/editorial/page-screen.tsx'
import { pageQuery, summaryOf } from '../features/content/editorial/queries.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { MessagePage } from '../shell/message-page.tsx'
import { pageContentHead, routeHead } from '../shell/route-head.ts'

/** The slug of the page with the legal information. */
const SLUG = 'legal'

/**
 * Legal information (V2.1-14). Forms link here even if the operator has not written the text. The page then says that
 * the text does not exist yet.
 */
export const Route = createFileRoute('/_shell/legal')({
  loader: async ({ context: { queryClient } }) => {
    const { content } = await load(queryClient.ensureQueryData(pageQuery(SLUG)))
    return { summary: summaryOf(content) }
  },
  head: ({ match: { context }, loaderData }) => {
    const { t } = context.words
    return loaderData === undefined
      ? routeHead(context, {
          title: t('editorial.legal'),
          description: t('editorial.legalMissing'),
          path: pathOf('legal'),
          unlisted: true,
        })
      : pageContentHead(context, loaderData.summary)
  },
  component: () => <PageScreen slug={SLUG} />,
  pendingComponent: TextSkeleton,
  notFoundComponent: NotWritten,
})

function NotWritten() {
  const { t } = useTranslation()
  return (
    <MessagePage title={t('editorial.legal')} text={t('editorial.legalMissing')} back={t('notFound.back')} />
  )
}
