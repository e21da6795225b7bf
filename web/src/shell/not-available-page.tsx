import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'

/** What every screen that is not built yet shows. */
export function NotAvailablePage() {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t('notAvailable.title')}
      text={t('notAvailable.text')}
      back={t('notAvailable.back')}
    />
  )
}
