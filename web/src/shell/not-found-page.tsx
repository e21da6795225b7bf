import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { isChild, useSession } from '../features/accounts/session.ts'
import { aboveLevelOf } from '../features/parental/above-level.ts'
import { MessagePage } from './message-page.tsx'
import { PageSearch } from './page-search.tsx'

// Nobody but a child needs it.
const AboveLevelPage = lazy(async () => ({
  default: (await import('./above-level-page.tsx')).AboveLevelPage,
}))

/**
 * The page of an address that leads nowhere (V2.1-27): it offers a search, and the way home. A child learns of what is above its
 * level that it is.
 *
 * @param data of the 404, as the router hands it on
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
