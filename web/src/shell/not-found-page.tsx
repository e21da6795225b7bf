import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'

/** What an address shows that leads nowhere (V2.1-27). */
export function NotFoundPage() {
  const { t } = useTranslation()
  return <MessagePage title={t('notFound.title')} text={t('notFound.text')} back={t('notFound.back')} />
}
