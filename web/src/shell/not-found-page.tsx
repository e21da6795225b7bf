import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'
import { PageSearch } from './page-search.tsx'

/** The page of an address that leads nowhere (V2.1-27): it offers a search, and the way home. */
export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <MessagePage title={t('notFound.title')} text={t('notFound.text')} back={t('notFound.back')}>
      <PageSearch />
    </MessagePage>
  )
}
