import { useTranslation } from 'react-i18next'
import type { ClosedScreen } from './closed-screens.ts'
import { MessagePage } from './message-page.tsx'

/** The page of a screen that is not available yet: says what it will offer, and that it is not available yet. */
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
