import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { isChild, useSession } from '../features/ground/session/session.ts'
import { aboveLevelOf } from '../features/people/parental/above-level.ts'
import { MessagePage } from './message-page.tsx'
import { PageSearch } from './page-search.tsx'

// Lazy, because only a child needs it.
const AboveLevelPage = lazy(async () => ({
  default: (await import('./above-level-page.tsx')).AboveLevelPage,
}))

/**
 * The 404 page (V2.1-27), with a search and a link to home. If the content is above a child's level, the page says
 * so.
 *
 * @param data data of the 404, passed by the router
 */
export function NotFoundPage({ data }: { data?: unknown }) {
  const { t } = useTranslation()
  const session = useSession()
  const above = aboveLevelOf(data)
  if (above !== undefined) return <AboveLevelPage subject={above} />
  return (
    <MessagePage
      title={t('notFound.title')}
      text={t(isChild(session) ? 'child.notFound' : 'notFound.text')}
      back={t(isChild(session) ? 'child.back' : 'notFound.back')}
      forChild={isChild(session)}
    >
      <PageSearch />
    </MessagePage>
  )
}
