import { useTranslation } from 'react-i18next'
import type { ClosedScreen } from './closed-screens.ts'
import { MessagePage } from './message-page.tsx'

/** What a screen shows that is not open yet: what it is to be, and that it is not there. */
export function NotAvailablePage({ name }: { name: ClosedScreen }) {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t(`notAvailable.${name}`)}
      text={t('notAvailable.text')}
      back={t('notAvailable.back')}
    />
  )
}
